// SPDX-License-Identifier: Apache-2.0
//
// With optimisation on, the frontend adds bodies of functions that live in a
// library (extern templates), for inlining only: no code is made from them, so
// what they would do is not seen. Without their bodies they get a model, or count
// as code without bitcode. Those that must be inlined always are.
#pragma once

namespace llvm {
class Module;
}

namespace heddle::build {

void drop_library_bodies(llvm::Module& module);

}  // namespace heddle::build
