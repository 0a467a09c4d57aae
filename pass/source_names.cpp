// SPDX-License-Identifier: Apache-2.0
#include "pass/source_names.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>

namespace heddle::pass {

std::string global_name(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
  global.getDebugInfo(infos);
  for (const auto* info : infos)
    if (!info->getVariable()->getName().empty()) return info->getVariable()->getName().str();
  return global.getName().str();
}

std::string variable_name(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(object))
    if (call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) object = call->getArgOperand(0);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) return global_name(*global);
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(object)) {
    for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(alloca)))
      return record->getVariable()->getName().str();
    return alloca->getName().str();
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
    return argument->hasName() ? "*" + argument->getName().str() : "";
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) {
    const std::string base = variable_name(load->getPointerOperand());
    return base.empty() ? "" : "*" + base;
  }
  return "";
}

std::string function_name(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (!program || program->getName().empty()) return function.getName().str();
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(program->getScope());
  if (!type || !type->getName().empty() || program->getName() != "operator()") return program->getName().str();
  return ("lambda at " + llvm::sys::path::filename(program->getFilename()) + ":" + llvm::Twine(program->getLine()))
      .str();
}

}  // namespace heddle::pass
