// SPDX-License-Identifier: Apache-2.0
#include "build/sources.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "build/compile_source.h"
#include "build/link_flags.h"
#include "program/archive.h"
#include "program/elf_file.h"
#include "program/merge.h"
#include "program/read_program.h"

namespace heddle::build {
namespace {

using base::Error;
using base::Result;
using program::ProgramParts;

// Adds inputs one by one; archives last, when it is known what is missing.
class Collector {
 public:
  Collector(ProgramParts& parts, const SortedFlags& flags, bool optimised)
      : parts_(parts), flags_(flags), optimised_(optimised) {}

  Result<void> add(const std::string& input) {
    if (is_source(input)) return add_source(input);
    if (is_assembly(input)) return add_assembly(input);
    const std::string ending = std::filesystem::path(input).extension().string();
    if (ending == ".a") {
      archives_.push_back(input);
      return {};
    }
    Result<std::string> bytes = base::read_file(input);
    if (!bytes) return bytes.error();
    if (!program::looks_like_elf(*bytes)) return add_module(input, ending, std::move(*bytes));
    if (ending == ".so" || input.find(".so.") != std::string::npos)
      return program::add_shared_library(parts_, base::absolute_path(input));
    return program::add_object(parts_, std::move(*bytes), input);
  }

  Result<void> finish() {
    for (const std::string& path : flags_.shared_libraries)
      if (Result<void> added = program::add_shared_library(parts_, path); !added) return added;
    archives_.insert(archives_.end(), flags_.archives.begin(), flags_.archives.end());
    return program::add_needed_members(parts_, archives_);
  }

 private:
  Result<void> add_source(const std::string& input) {
    Result<program::ModulePart> part = compile_source(input, flags_.compile, optimised_);
    if (!part) return part.error();
    parts_.modules.push_back(std::move(*part));
    parts_.link.needs_cxx |= is_cxx_source(input);
    return {};
  }

  Result<void> add_assembly(const std::string& input) {
    Result<program::NativeObject> object = assemble(input, flags_.compile);
    if (!object) return object.error();
    parts_.link.native_objects.push_back(std::move(*object));
    return {};
  }

  Result<void> add_module(const std::string& input, const std::string& ending, std::string bytes) {
    if (ending != ".bc" && ending != ".ll" && !bytes.starts_with("BC\xc0\xde"))
      return Error{fmt::format("{}: not a program, and not a file that could be part of one", input),
                   "give an executable built with heddle cc, or .c .cc .cpp .cxx .bc .ll .o .a files"};
    parts_.modules.push_back({input, "", std::move(bytes), ""});
    return {};
  }

  ProgramParts& parts_;
  const SortedFlags& flags_;
  bool optimised_;
  std::vector<std::string> archives_;
};

// An executable, or a library alone: it knows itself what it is made of.
bool is_linked_file(const std::string& path) {
  Result<std::string> bytes = base::read_file(path);
  if (!bytes || !program::looks_like_elf(*bytes)) return false;
  Result<program::ElfFile> file = program::ElfFile::parse(std::move(*bytes), path);
  return !file || !file->is_relocatable();  // read_program says what is wrong
}

Result<ProgramParts> collect(const std::vector<std::string>& inputs, const IntakeOptions& options) {
  if (inputs.size() == 1 && is_linked_file(inputs.front())) return program::read_program(inputs.front());
  const SortedFlags flags = sort_flags(options.cflags);
  ProgramParts parts;
  parts.name = std::filesystem::path(inputs.front()).stem().string();
  parts.link.flags = flags.link;
  Collector collector(parts, flags, options.optimised);
  for (const std::string& input : inputs)
    if (Result<void> added = collector.add(input); !added) return added.error();
  if (Result<void> finished = collector.finish(); !finished) return finished.error();
  if (parts.modules.empty()) return program::no_bitcode(inputs.front());
  return parts;
}

}  // namespace

Result<program::WholeProgram> intake(const std::vector<std::string>& inputs, const IntakeOptions& options) {
  if (inputs.empty()) return Error{"no program given", "name an executable built with heddle cc, or sources"};
  Result<ProgramParts> parts = collect(inputs, options);
  if (!parts) return parts.error();
  program::MergeOptions merge_options;
  merge_options.optimised = options.optimised;
  return program::merge(std::move(*parts), merge_options);
}

}  // namespace heddle::build
