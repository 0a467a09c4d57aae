// SPDX-License-Identifier: Apache-2.0
#include "pass/rare_hook.h"

namespace heddle::pass {

llvm::FunctionCallee rare_hook(llvm::Module& module, llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::FunctionCallee hook = module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* function = llvm::cast<llvm::Function>(hook.getCallee());
  function->setCallingConv(llvm::CallingConv::PreserveMost);
  function->addFnAttr(llvm::Attribute::Cold);
  function->setDoesNotThrow();
  return hook;
}

llvm::CallInst* call_rare_hook(llvm::IRBuilder<>& builder, llvm::FunctionCallee hook,
                               llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* call = builder.CreateCall(hook, arguments);
  call->setCallingConv(llvm::CallingConv::PreserveMost);
  return call;
}

}  // namespace heddle::pass
