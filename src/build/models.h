// SPDX-License-Identifier: Apache-2.0
//
// Models: bitcode of functions that programs call and that come without, such
// as strcpy and what std::map keeps in libstdc++.so (runtime/models/). Linked
// into a program's module before it is instrumented, they make the accesses of
// such a function the program's own: each has a hook, and other threads can run
// in between.
//
//   program:  call @strcpy(...)           declared, in the C library
//   after:    call @strcpy.model(...)     defined, internal
//
// Only functions that the program leaves open are taken: its own definition of
// one wins. Libraries without bitcode go on using theirs.
#pragma once

#include <string>

#include "base/result.h"

namespace llvm {
class Module;
}

namespace heddle::build {

// Links models.bc, read from `path`, into `module`.
base::Result<void> link_models(llvm::Module& module, const std::string& path);

// Where models.bc is: beside the runtime library.
std::string models_file(const std::string& runtime);

}  // namespace heddle::build
