// SPDX-License-Identifier: Apache-2.0
#include "pass/core_marks.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "pass/rare_hook.h"

namespace heddle::pass {
namespace {

const llvm::Value* stored_to(const llvm::Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getPointerOperand();
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return range->getDest();
  return nullptr;
}

}  // namespace

CoreMarks::CoreMarks(Rewriter& rewriter)
    : r_(rewriter), rarely_(llvm::MDBuilder(rewriter.module.getContext()).createUnlikelyBranchWeights()) {
  llvm::Module& module = r_.module;
  auto* never = new llvm::GlobalVariable(module, r_.i64, true, llvm::GlobalValue::ExternalLinkage,
                                         llvm::ConstantInt::get(r_.i64, 1), "__heddle_no_core");
  core_ = new llvm::GlobalVariable(module, r_.pointer, false, llvm::GlobalValue::ExternalLinkage, never,
                                   "__heddle_core", nullptr, llvm::GlobalValue::LocalExecTLSModel);
  auto* address = llvm::Function::Create(llvm::FunctionType::get(r_.pointer, false), llvm::GlobalValue::ExternalLinkage,
                                         "__heddle_core_address", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", address));
  builder.CreateRet(builder.CreateThreadLocalAddress(core_));
  changed_ = rare_hook(module, "__heddle_core_changed", r_.nothing, {r_.i32});
}

std::vector<llvm::Instruction*> CoreMarks::shared_stores(llvm::Function& function) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const llvm::Value* place = stored_to(instruction); place && !r_.escape.is_private(place, false))
      found.push_back(&instruction);
  return found;
}

void CoreMarks::add(llvm::Instruction& store) {
  llvm::Instruction* position = store.getNextNode();
  llvm::IRBuilder<> builder(position);
  llvm::Value* word = builder.CreateLoad(r_.pointer, builder.CreateThreadLocalAddress(core_));
  llvm::Value* moved =
      builder.CreateICmpEQ(builder.CreateLoad(r_.i64, word, /*isVolatile=*/true), llvm::ConstantInt::get(r_.i64, 0));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(moved, position->getIterator(), false, rarely_);
  builder.SetInsertPoint(then);
  call_rare_hook(builder, changed_, {r_.site(store)});
}

}  // namespace heddle::pass
