// SPDX-License-Identifier: Apache-2.0
#include "build/compile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "base/files.h"
#include "base/process.h"
#include "build/clang.h"

namespace heddle::build {
namespace {

using base::Error;
using base::Result;

bool has_ending(const std::string& path, std::initializer_list<const char*> endings) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

// Runs clang with its messages kept; returns what it wrote.
Result<std::string> run_clang(const std::string& path, std::vector<std::string> command,
                              const std::vector<std::string>& flags) {
  Result<base::TemporaryDirectory> directory = base::TemporaryDirectory::create("compile");
  if (!directory) return directory.error();
  const std::string output = directory->path() + "/output";
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-o", output, "--", path});

  base::ProcessOptions options;
  options.capture_err = true;
  Result<base::ProcessOutput> ran = base::run_process(command, options);
  if (!ran) return ran.error();
  if (ran->exit_code != 0) {
    while (!ran->err.empty() && ran->err.back() == '\n') ran->err.pop_back();
    return Error{fmt::format("cannot compile {}:\n{}", path, ran->err),
                 "flags for the compiler are given with --cflags='...'"};
  }
  return base::read_file(output);
}

}  // namespace

bool is_source(const std::string& path) { return has_ending(path, {".c", ".i"}) || is_cxx_source(path); }

bool is_cxx_source(const std::string& path) {
  return has_ending(path, {".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP", ".ii"});
}

bool is_assembly(const std::string& path) { return has_ending(path, {".s", ".S"}); }

Result<program::ModulePart> compile_source(const std::string& path, const std::vector<std::string>& flags,
                                           bool optimised) {
  if (!std::filesystem::exists(path)) return Error{fmt::format("cannot open {}: no such file", path), ""};
  Result<std::string> clang = find_clang(is_cxx_source(path) ? Language::cxx : Language::c);
  if (!clang) return clang.error();
  std::vector<std::string> command = {*clang, "-c", "-emit-llvm", "-O0", "-g", "-pthread"};
  command.insert(command.end(), {"-Xclang", "-disable-O0-optnone"});
  if (!optimised) command.insert(command.end(), {"-Xclang", "-disable-llvm-passes"});
  const std::vector<std::string> own_flags = heddle_source_flags();
  command.insert(command.end(), own_flags.begin(), own_flags.end());

  Result<std::string> bitcode = run_clang(path, std::move(command), flags);
  if (!bitcode) return bitcode.error();
  return program::ModulePart{path, "", std::move(*bitcode), ""};
}

Result<program::NativeObject> assemble(const std::string& path, const std::vector<std::string>& flags) {
  Result<std::string> clang = find_clang(Language::c);
  if (!clang) return clang.error();
  Result<std::string> object = run_clang(path, {*clang, "-c", "-Wno-unused-command-line-argument"}, flags);
  if (!object) return object.error();
  return program::NativeObject{path, std::move(*object)};
}

}  // namespace heddle::build
