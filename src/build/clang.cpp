// SPDX-License-Identifier: Apache-2.0
#include "build/clang.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/process.h"

namespace heddle::build {

base::Result<std::string> find_clang(Language language) {
  const std::string plain = language == Language::cxx ? "clang++" : "clang";
  for (const std::string& candidate : {plain + "-19", "/usr/lib/llvm-19/bin/" + plain})
    if (std::string found = base::find_program(candidate); !found.empty()) return found;
  return base::Error{fmt::format("cannot find {}-19, neither on PATH nor in /usr/lib/llvm-19/bin", plain),
                     "install clang-19 (scripts/bootstrap does)"};
}

std::vector<std::string> heddle_source_flags() {
  const std::filesystem::path binary = base::own_path();
  const std::filesystem::path include = binary.parent_path().parent_path() / "include";
  return {"-idirafter", include.string(), "-D__HEDDLE__=1",
          fmt::format("-D__HEDDLE_COMMAND__=\"{}\"", binary.string())};
}

}  // namespace heddle::build
