// SPDX-License-Identifier: Apache-2.0
#include "pass/rewriter.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include "pass/global_objects.h"
#include "pass/source_names.h"

namespace heddle::pass {

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
  report.globals = global_objects(module);
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
