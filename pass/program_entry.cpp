// SPDX-License-Identifier: Apache-2.0
//
// main, static constructors and destructors, under the names that the runtime
// calls. So they are part of every run, also when a process runs the program
// many times.
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "abi/version.h"
#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

struct Entry {
  uint64_t priority;
  llvm::Function* function;
  size_t position = 0;  // among equals, the order of the list counts
};

// Takes the list of a module apart: `llvm.global_ctors` or `llvm.global_dtors`.
std::vector<Entry> take_list(llvm::Module& module, const char* name) {
  std::vector<Entry> entries;
  llvm::GlobalVariable* list = module.getGlobalVariable(name);
  if (!list || !list->hasInitializer()) return entries;
  if (auto* items = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())) {
    for (llvm::Value* item : items->operands()) {
      auto* fields = llvm::cast<llvm::ConstantStruct>(item);
      auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
      const uint64_t priority = llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue();
      if (function) entries.push_back({priority, function, 0});
    }
  }
  list->eraseFromParent();
  for (size_t i = 0; i < entries.size(); ++i) entries[i].position = i;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.priority, a.position) < std::pair(b.priority, b.position);
  });
  return entries;
}

llvm::Function* define(Rewriter& r, const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
  auto* type = llvm::FunctionType::get(result, parameters, false);
  if (llvm::Function* declared = r.module.getFunction(name)) declared->setName("");
  return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, r.module);
}

void constant(Rewriter& r, const char* name, uint32_t value) {
  new llvm::GlobalVariable(r.module, r.i32, true, llvm::GlobalValue::ExternalLinkage, r.number(value), name);
}

}  // namespace

void rewrite_program_entry(Rewriter& r) {
  llvm::Function* main = r.module.getFunction("main");
  main->setName("__heddle_original_main");
  main->setLinkage(llvm::GlobalValue::InternalLinkage);
  const std::vector<llvm::Type*> arguments = {r.i32, r.pointer, r.pointer};
  llvm::LLVMContext& context = r.module.getContext();

  llvm::Function* entry = define(r, "__heddle_program_main", r.i32, arguments);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  std::vector<llvm::Value*> passed;
  for (unsigned i = 0; i < main->arg_size() && i < 3; ++i) passed.push_back(entry->getArg(i));
  llvm::Value* result = builder.CreateCall(main, passed);
  builder.CreateRet(result->getType() == r.i32 ? result : r.number(0));

  llvm::Function* constructors = define(r, "__heddle_program_constructors", r.nothing, arguments);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", constructors));
  for (const Entry& item : take_list(r.module, "llvm.global_ctors")) {
    std::vector<llvm::Value*> given;
    for (unsigned i = 0; i < item.function->arg_size() && i < 3; ++i) given.push_back(constructors->getArg(i));
    builder.CreateCall(item.function, given);
  }
  builder.CreateRetVoid();

  llvm::Function* destructors = define(r, "__heddle_program_destructors", r.nothing, {});
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", destructors));
  std::vector<Entry> ends = take_list(r.module, "llvm.global_dtors");
  for (auto item = ends.rbegin(); item != ends.rend(); ++item) builder.CreateCall(item->function);
  builder.CreateRetVoid();

  llvm::Function* new_main = define(r, "main", r.i32, arguments);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", new_main));
  builder.CreateRet(builder.CreateCall(r.hook("__heddle_runtime_main", r.i32, arguments),
                                       {new_main->getArg(0), new_main->getArg(1), new_main->getArg(2)}));

  constant(r, "__heddle_program_version", HEDDLE_INSTRUMENTATION_VERSION);
  constant(r, "__heddle_program_calls_unknown", r.unknown.empty() ? 0 : 1);
}

}  // namespace heddle::pass
