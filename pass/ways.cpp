// SPDX-License-Identifier: Apache-2.0
#include "pass/ways.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>

namespace heddle::pass {

std::vector<llvm::BasicBlock*> distinct_successors(llvm::Instruction& terminator) {
  std::vector<llvm::BasicBlock*> found;
  for (llvm::BasicBlock* successor : llvm::successors(&terminator))
    if (std::find(found.begin(), found.end(), successor) == found.end()) found.push_back(successor);
  return found;
}

unsigned width_of(llvm::Instruction& terminator) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) return branch->isConditional() ? 1 : 0;
  if (!llvm::isa<llvm::SwitchInst>(terminator) && !llvm::isa<llvm::IndirectBrInst>(terminator)) return 0;
  unsigned width = 0;
  for (size_t count = distinct_successors(terminator).size(); (size_t{1} << width) < count;) ++width;
  return width;
}

llvm::BasicBlock& edge_block(llvm::Instruction& terminator, llvm::BasicBlock& to) {
  llvm::BasicBlock* from = terminator.getParent();
  llvm::BasicBlock* between = llvm::BasicBlock::Create(from->getContext(), "", from->getParent(), &to);
  llvm::IRBuilder<> builder(between);
  builder.CreateBr(&to)->setDebugLoc(terminator.getDebugLoc());
  for (llvm::PHINode& merged : to.phis()) {
    llvm::Value* value = merged.getIncomingValueForBlock(from);
    while (merged.getBasicBlockIndex(from) >= 0) merged.removeIncomingValue(from, false);
    merged.addIncoming(value, between);
  }
  for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
    if (terminator.getSuccessor(i) == &to) terminator.setSuccessor(i, between);
  return *between;
}

}  // namespace heddle::pass
