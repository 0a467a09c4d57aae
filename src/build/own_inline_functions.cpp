// SPDX-License-Identifier: Apache-2.0
#include "build/own_inline_functions.h"

#include <llvm/IR/Module.h>

namespace heddle::build {

void keep_inline_functions_apart(llvm::Module& module) {
  // Data stays shared: variables of inline functions are symbols of their own.
  for (llvm::GlobalAlias& alias : module.aliases())
    if (alias.hasLinkOnceLinkage() && llvm::isa_and_nonnull<llvm::Function>(alias.getAliaseeObject()))
      alias.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLinkOnceLinkage()) continue;
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace heddle::build
