// SPDX-License-Identifier: Apache-2.0
#include "program/read_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "program/elf_file.h"
#include "program/find_library.h"
#include "program/frame.h"
#include "program/module_reader_llvm.h"
#include "program/records.h"

namespace heddle::program {
namespace {

using base::Error;
using base::Result;

Result<std::vector<ModulePart>> modules_of(const ElfFile& file, const std::string& name) {
  std::vector<ModulePart> modules;
  for (const std::string_view section : file.sections(kBitcodeSection)) {
    Result<std::vector<ModulePart>> more = decode_modules(section, name);
    if (!more) return more.error();
    for (ModulePart& part : *more) {
      if (Result<void> fits = check_triple(part.triple, fmt::format("{} ({})", name, part.source_name)); !fits)
        return fits.error();
      modules.push_back(std::move(part));
    }
  }
  return modules;
}

Result<LinkFacts> link_facts_of(const ElfFile& file, const std::string& name) {
  LinkFacts facts;
  for (const std::string_view section : file.sections(kLinkSection)) {
    Result<std::vector<LinkFacts>> records = decode_links(section, name);
    if (!records) return records.error();
    for (LinkFacts& record : *records) add_link_facts(facts, std::move(record));
  }
  return facts;
}

// The libraries of one program, in the order in which the loader searches them:
// breadth first.
class LibraryWalk {
 public:
  explicit LibraryWalk(ProgramParts& parts) : parts_(parts) {}

  Result<void> add(const std::string& path) {
    queue_.push_back(path);
    return run();
  }

  // `file` has been read; `recorded` are the libraries its linker found.
  Result<void> add_needed(const ElfFile& file, const std::string& path, const std::vector<std::string>& recorded) {
    if (Result<void> queued = enqueue_needed(file, path, recorded); !queued) return queued;
    return run();
  }

 private:
  Result<void> enqueue_needed(const ElfFile& file, const std::string& path, const std::vector<std::string>& recorded) {
    for (const std::string& name : file.needed()) {
      const std::string found = find_library(name, file.search_paths(), path, recorded);
      if (!found.empty())
        queue_.push_back(found);
      else if (!is_default_library(name))
        return Error{fmt::format("{} needs {}, which cannot be found", path, name),
                     "set LD_LIBRARY_PATH to the directory that holds it"};
    }
    return {};
  }

  Result<void> run() {
    for (size_t next = 0; next < queue_.size(); ++next) {
      const std::string path = queue_[next];
      if (!seen_.insert(std::filesystem::weakly_canonical(path).string()).second) continue;
      if (Result<void> read = read_library(path); !read) return read;
    }
    return {};
  }

  Result<void> read_library(const std::string& path) {
    Result<std::string> bytes = base::read_file(path);
    if (!bytes) return bytes.error();
    Result<ElfFile> file = ElfFile::parse(std::move(*bytes), path);
    if (!file) return file.error();
    Result<std::vector<ModulePart>> modules = modules_of(*file, path);
    if (!modules) return modules.error();
    std::vector<std::string>& foreign = parts_.link.shared_libraries;
    if (modules->empty()) {
      if (std::find(foreign.begin(), foreign.end(), path) == foreign.end()) foreign.push_back(path);
      return {};
    }
    Result<LinkFacts> facts = link_facts_of(*file, path);
    if (!facts) return facts.error();
    const std::vector<std::string> recorded = std::exchange(facts->shared_libraries, {});
    add_link_facts(parts_.link, std::move(*facts));
    parts_.libraries.push_back({path, std::move(*modules), file->exported_symbols(), file->is_symbolic()});
    return enqueue_needed(*file, path, recorded);
  }

  ProgramParts& parts_;
  std::vector<std::string> queue_;
  std::set<std::string> seen_;
};

bool is_llvm_module(const std::string& path, std::string_view bytes) {
  return bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b") ||
         std::filesystem::path(path).extension() == ".ll";
}

}  // namespace

Error no_bitcode(const std::string& path) {
  return {fmt::format("{}: no bitcode", path),
          "was it built with heddle cc or heddle c++? was it stripped? build it again with CC=\"heddle cc\""};
}

Result<ProgramParts> read_program(const std::string& path) {
  Result<std::string> bytes = base::read_file(path);
  if (!bytes) return bytes.error();
  ProgramParts parts;
  parts.name = std::filesystem::path(path).filename().string();
  if (is_llvm_module(path, *bytes)) {
    parts.modules.push_back({path, "", std::move(*bytes), ""});
    return parts;
  }
  Result<ElfFile> file = ElfFile::parse(std::move(*bytes), path);
  if (!file) return file.error();
  Result<std::vector<ModulePart>> modules = modules_of(*file, path);
  if (!modules) return modules.error();
  if (modules->empty()) return no_bitcode(path);
  parts.modules = std::move(*modules);
  Result<LinkFacts> facts = link_facts_of(*file, path);
  if (!facts) return facts.error();
  const std::vector<std::string> recorded = std::exchange(facts->shared_libraries, {});
  parts.link = std::move(*facts);
  if (Result<void> added = LibraryWalk(parts).add_needed(*file, path, recorded); !added) return added.error();
  return parts;
}

Result<void> add_object(ProgramParts& parts, std::string bytes, const std::string& name) {
  Result<ElfFile> file = ElfFile::parse(std::move(bytes), name);
  if (!file) return file.error();
  if (!file->is_relocatable())
    return Error{fmt::format("{}: not an object file", name), "give an executable alone, without other inputs"};
  Result<std::vector<ModulePart>> modules = modules_of(*file, name);
  if (!modules) return modules.error();
  if (modules->empty()) {
    parts.link.native_objects.push_back({name, file->bytes()});
    return {};
  }
  for (ModulePart& part : *modules) parts.modules.push_back(std::move(part));
  Result<LinkFacts> facts = link_facts_of(*file, name);
  if (!facts) return facts.error();
  add_link_facts(parts.link, std::move(*facts));
  return {};
}

Result<void> add_shared_library(ProgramParts& parts, const std::string& path) { return LibraryWalk(parts).add(path); }

}  // namespace heddle::program
