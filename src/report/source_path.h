// SPDX-License-Identifier: Apache-2.0
//
// Where a source file lies. Compilers name a file that lies elsewhere relative to
// what its path and the folder of the compilation have in common: compiled in
// /home/me/build, /home/me/src/a.c is "src/a.c". So a name is looked for in the
// current folder and then in those above it.
#pragma once

#include <string>

namespace heddle::report {

// A path that can be read, or `file` as it is.
std::string source_path(const std::string& file);

}  // namespace heddle::report
