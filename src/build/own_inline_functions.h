// SPDX-License-Identifier: Apache-2.0
//
// Inline functions that objects without bitcode bring along, too.
//
// A linker keeps one copy of each inline function. If a program is linked with an
// archive that another compiler made (libgtest.a), both have a copy of what they use
// of std::string, and the instrumented one would be kept: library code would run into
// hooks, also before main, when no run has begun. So the program keeps its copies to
// itself, and the library has its own: a call of a library stays one step.
//
// Limit: the address of an inline function is then another one in the library.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::build {

void keep_inline_functions_apart(llvm::Module& module);

}  // namespace heddle::build
