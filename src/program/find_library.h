// SPDX-License-Identifier: Apache-2.0
//
// Where the dynamic loader would find a shared library.
#pragma once

#include <string>
#include <vector>

namespace heddle::program {

// The file that DT_NEEDED entry `name` of the file `user` means, or empty.
// Looks in `search_paths` (with $ORIGIN), in LD_LIBRARY_PATH, then among
// `recorded` paths. Libraries that come with every compiler are not looked for.
std::string find_library(const std::string& name, const std::vector<std::string>& search_paths, const std::string& user,
                         const std::vector<std::string>& recorded);

// libc, libgcc_s, libstdc++ and their like: the compiler driver links them
// without being asked, or upon a plain -l flag.
bool is_default_library(const std::string& soname);

// The flag that asks for a default library: "-lm" for libm.so.6; empty when
// none is needed.
std::string default_library_flag(const std::string& soname);

}  // namespace heddle::program
