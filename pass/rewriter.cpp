// SPDX-License-Identifier: Apache-2.0
#include "pass/rewriter.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/Path.h>

namespace heddle::pass {
namespace {

std::string global_name(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
  global.getDebugInfo(infos);
  for (const auto* info : infos)
    if (!info->getVariable()->getName().empty()) return info->getVariable()->getName().str();
  return global.getName().str();
}

// What the source calls the accessed thing, as far as the pointer tells.
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
  return program && !program->getName().empty() ? program->getName().str() : function.getName().str();
}

}  // namespace

Rewriter::Rewriter(llvm::Module& the_module, const InstrumentOptions& the_options)
    : module(the_module),
      options(the_options),
      layout(the_module.getDataLayout()),
      nothing(llvm::Type::getVoidTy(the_module.getContext())),
      pointer(llvm::PointerType::getUnqual(the_module.getContext())),
      i32(llvm::Type::getInt32Ty(the_module.getContext())),
      i64(llvm::Type::getInt64Ty(the_module.getContext())) {}

void Rewriter::number_instructions() {
  uint32_t next = 1;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) sites_[&instruction] = next++;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration() || global.isConstant() || global.getName().starts_with("llvm.")) continue;
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
    global.getDebugInfo(infos);
    std::string name = global_name(global);
    if (!infos.empty() && infos[0]->getVariable()->getFile())
      name = (llvm::sys::path::filename(infos[0]->getVariable()->getFile()->getFilename()) + ":" + name).str();
    report.globals.push_back({global.getName().str(), name, layout.getTypeAllocSize(global.getValueType())});
  }
}

llvm::Constant* Rewriter::site(const llvm::Instruction& instruction, const llvm::Value* accessed) {
  const uint32_t site_id = sites_.lookup(&instruction);
  if (placed_.try_emplace(site_id, true).second) {
    SitePlace place;
    place.site = site_id;
    place.function = function_name(*instruction.getFunction());
    if (const llvm::DILocation* location = instruction.getDebugLoc().get()) {
      place.file = location->getFilename().str();
      place.line = location->getLine();
      place.column = location->getColumn();
    } else if (const llvm::DISubprogram* program = instruction.getFunction()->getSubprogram()) {
      place.file = program->getFilename().str();
      place.line = program->getLine();
    }
    if (accessed) place.variable = variable_name(accessed);
    report.places.push_back(std::move(place));
  }
  return number(site_id);
}

llvm::FunctionCallee Rewriter::hook(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
  return module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
}

llvm::AllocaInst* Rewriter::scratch(llvm::Function& function, llvm::Type* type) {
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* place = builder.CreateAlloca(type);
  place->setAlignment(llvm::Align(16));
  return place;
}

llvm::Constant* Rewriter::text(llvm::StringRef value) {
  llvm::Constant*& known = texts_[value];
  if (!known) {
    llvm::Constant* data = llvm::ConstantDataArray::getString(module.getContext(), value);
    auto* global = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data);
    known = global;
  }
  return known;
}

void Rewriter::fail(const std::string& message) {
  if (failure.empty()) failure = message;
}

}  // namespace heddle::pass
