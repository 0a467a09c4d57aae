// SPDX-License-Identifier: Apache-2.0
//
// Compiler flags given for sources, sorted by who needs them: the compiler, or
// the link (-l, -L, -Wl,). Libraries that a -L directory holds are found here,
// because they may carry bitcode; others are left to the linker.
#pragma once

#include <string>
#include <vector>

namespace heddle::build {

struct SortedFlags {
  std::vector<std::string> compile;
  std::vector<std::string> link;              // "-lm", "-L/x", "-Wl,…": as given
  std::vector<std::string> shared_libraries;  // paths
  std::vector<std::string> archives;          // paths
};

SortedFlags sort_flags(const std::vector<std::string>& flags);

}  // namespace heddle::build
