// SPDX-License-Identifier: Apache-2.0
//
// Hooks that are seldom called. Registers keep their values across such a call, so that
// code that never makes it is not the slower for it.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

llvm::FunctionCallee rare_hook(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters);

llvm::CallInst* call_rare_hook(llvm::IRBuilder<>& builder, llvm::FunctionCallee hook,
                               llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace heddle::pass
