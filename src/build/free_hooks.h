// SPDX-License-Identifier: Apache-2.0
//
// For free runs the hooks of loads and stores become part of the program's own
// code: their bitcode (runtime/free/hot_hooks.cpp) is linked into the
// instrumented module and inlined. Calls that stay mean the runtime library's.
#pragma once

#include <string>

#include "base/result.h"

namespace llvm {
class Module;
}

namespace heddle::build {

// Inlines the hooks of free_hooks.bc, read from `path`.
base::Result<void> inline_free_hooks(llvm::Module& module, const std::string& path);

// Where free_hooks.bc is: beside the runtime library.
std::string free_hooks_file(const std::string& runtime);

}  // namespace heddle::build
