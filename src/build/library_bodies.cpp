// SPDX-License-Identifier: Apache-2.0
#include "build/library_bodies.h"

#include <llvm/IR/Module.h>

namespace heddle::build {

void drop_library_bodies(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.hasAvailableExternallyLinkage() || function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
    function.deleteBody();
    function.setComdat(nullptr);
  }
}

}  // namespace heddle::build
