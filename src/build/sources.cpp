// SPDX-License-Identifier: Apache-2.0
#include "build/sources.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "build/compile_source.h"
#include "program/merge.h"

namespace heddle::build {
namespace {

using base::Error;
using base::Result;

// Flags for the compiler and flags for the linker, in their order.
struct Flags {
  std::vector<std::string> compile;
  std::vector<std::string> link;
};

Flags split_flags(const std::vector<std::string>& cflags) {
  Flags flags;
  for (size_t i = 0; i < cflags.size(); ++i) {
    const std::string& flag = cflags[i];
    const bool is_link = flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,");
    std::vector<std::string>& target = is_link ? flags.link : flags.compile;
    target.push_back(flag);
    if ((flag == "-l" || flag == "-L") && i + 1 < cflags.size()) target.back() += cflags[++i];
  }
  return flags;
}

}  // namespace

Result<program::WholeProgram> intake(const std::vector<std::string>& inputs, const IntakeOptions& options) {
  if (inputs.empty()) return Error{"no program given", "name an executable built with heddle cc, or sources"};
  const Flags flags = split_flags(options.cflags);
  program::ProgramParts parts;
  parts.name = std::filesystem::path(inputs.front()).stem().string();
  parts.link.flags = flags.link;
  for (const std::string& input : inputs) {
    if (is_source(input)) {
      Result<program::ModulePart> part = compile_source(input, flags.compile, options.optimised);
      if (!part) return part.error();
      parts.modules.push_back(std::move(*part));
      parts.link.needs_cxx |= is_cxx_source(input);
    } else if (is_assembly(input)) {
      Result<program::NativeObject> object = assemble(input, flags.compile);
      if (!object) return object.error();
      parts.link.native_objects.push_back(std::move(*object));
    } else {
      Result<std::string> bytes = base::read_file(input);
      if (!bytes) return bytes.error();
      parts.modules.push_back({input, "", std::move(*bytes), ""});
    }
  }
  program::MergeOptions merge_options;
  merge_options.optimised = options.optimised;
  return program::merge(std::move(parts), merge_options);
}

}  // namespace heddle::build
