// SPDX-License-Identifier: Apache-2.0
#include "pass/path_plan.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "abi/recording.h"
#include "pass/ways.h"

namespace heddle::pass {
namespace {

using MayRecord = std::function<bool(const llvm::CallBase&)>;

// The call may go on in a function that called this one: by an exception, or by longjmp.
bool may_leave(const llvm::CallBase& call) {
  if (llvm::isa<llvm::IntrinsicInst>(call) || call.isInlineAsm()) return false;
  return call.doesNotReturn() || (!call.doesNotThrow() && !call.getFunction()->doesNotThrow());
}

// Others may notice that this happened, or it may be the last thing that happens.
bool is_noticed(const llvm::Instruction& instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() ||
      llvm::isa<llvm::AssumeInst>(instruction))
    return false;
  if (llvm::isa<llvm::CallBase>(instruction))
    return !llvm::isa<llvm::IntrinsicInst>(instruction) || instruction.mayHaveSideEffects() ||
           instruction.mayReadFromMemory();
  return instruction.mayReadOrWriteMemory() || instruction.isIntDivRem() ||
         (instruction.isTerminator() && llvm::succ_empty(&instruction));
}

using Order = llvm::ReversePostOrderTraversal<llvm::Function*>;

void plan_looks(const Order& order, const MayRecord& may_record, PathPlan& plan) {
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> number, bits_after;
  unsigned count = 0;
  for (llvm::BasicBlock* block : order) number[block] = count++;
  for (llvm::BasicBlock* block : order) {
    unsigned bits = 0;  // since the last look, at most
    for (llvm::BasicBlock* before : llvm::predecessors(block)) {
      if (!number.contains(before)) continue;
      // Who goes back has looked before its last bits.
      const unsigned last = std::min(width_of(*before->getTerminator()), HEDDLE_PATH_SPARE);
      bits = std::max(bits, number[before] < number[block] ? bits_after[before] : last);
    }
    const auto look_before = [&](llvm::Instruction& position) {
      if (bits) plan.look_before.push_back(&position);
      bits = 0;
    };
    for (llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      const bool records = may_record(*call);
      if (records || may_leave(*call)) look_before(instruction);
      if (!records || call->isMustTailCall()) continue;
      if (!call->isTerminator()) {
        plan.take_before.push_back(call->getNextNode());
      } else {
        for (llvm::BasicBlock* next : llvm::successors(call)) plan.take_before.push_back(&*next->getFirstInsertionPt());
      }
    }
    llvm::Instruction& terminator = *block->getTerminator();
    const unsigned width = width_of(terminator);
    bool leaves = llvm::succ_empty(&terminator);
    if (const auto* last = terminator.getPrevNode(); leaves && last && llvm::isa<llvm::CallInst>(last))
      leaves = !llvm::cast<llvm::CallInst>(last)->isMustTailCall();  // looked before it
    const bool goes_back = std::any_of(llvm::succ_begin(block), llvm::succ_end(block),
                                       [&](const llvm::BasicBlock* next) { return number[next] <= number[block]; });
    // At the begin of the block, so that nothing stands between the branch and what its condition is made of.
    if (leaves || goes_back || bits + width > HEDDLE_PATH_SPARE) look_before(*block->getFirstInsertionPt());
    if (width) {
      const bool is_wide = width > HEDDLE_PATH_SPARE;
      plan.writes.push_back({&terminator, is_wide});
      bits = is_wide ? 0 : bits + width;
    }
    bits_after[block] = bits;
  }
}

void plan_stores(const Order& order, PathPlan& plan) {
  llvm::DenseMap<const llvm::BasicBlock*, bool> changed_after;
  const auto pass_through = [&](llvm::BasicBlock* block, bool stores) {
    bool changed = std::any_of(llvm::pred_begin(block), llvm::pred_end(block),
                               [&](const llvm::BasicBlock* before) { return changed_after.lookup(before); });
    for (llvm::Instruction& instruction : *block) {
      if (!is_noticed(instruction)) continue;
      if (changed && stores) plan.store_before.push_back(&instruction);
      changed = false;
    }
    return changed || width_of(*block->getTerminator()) != 0;
  };
  for (bool again = true; again;) {
    again = false;
    for (llvm::BasicBlock* block : order) {
      const bool changed = pass_through(block, false);
      again |= changed != changed_after.lookup(block);
      changed_after[block] = changed;
    }
  }
  for (llvm::BasicBlock* block : order) pass_through(block, true);
}

}  // namespace

PathPlan plan_path(llvm::Function& function, const MayRecord& may_record) {
  PathPlan plan;
  const Order order(&function);
  plan_looks(order, may_record, plan);
  plan_stores(order, plan);
  return plan;
}

}  // namespace heddle::pass
