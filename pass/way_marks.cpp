// SPDX-License-Identifier: Apache-2.0
#include "pass/way_marks.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>

#include "pass/ways.h"

namespace heddle::pass {
namespace {

// The two ways of a branch may lead to the same block and still are two.
llvm::BasicBlock& way_block(llvm::BranchInst& branch, unsigned successor) {
  llvm::BasicBlock *from = branch.getParent(), *to = branch.getSuccessor(successor);
  llvm::BasicBlock* between = llvm::BasicBlock::Create(from->getContext(), "", from->getParent(), to);
  llvm::IRBuilder<> builder(between);
  builder.CreateBr(to)->setDebugLoc(branch.getDebugLoc());
  // One entry a way: the first one that is left belongs to this way.
  for (llvm::PHINode& merged : to->phis())
    merged.setIncomingBlock(static_cast<unsigned>(merged.getBasicBlockIndex(from)), between);
  branch.setSuccessor(successor, between);
  return *between;
}

}  // namespace

WayMarks::WayMarks(llvm::Module& module)
    : type_(llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false)) {}

void WayMarks::mark(llvm::Instruction& position, uint32_t site, unsigned kind, uint32_t number) {
  const std::string text =
      fmt::format("1:\n\tnop\n\t.pushsection {},\"\",@progbits\n\t.quad 1b\n\t.long {}\n\t.long {}\n\t.popsection",
                  kMarkSection, site, kind << 24 | number);
  const bool is_store = kind == kStoreMark;  // which must not be moved past its mark
  llvm::IRBuilder<>(&position)
      .CreateCall(llvm::InlineAsm::get(type_, text, is_store ? "~{memory}" : "", /*hasSideEffects=*/true))
      ->setDoesNotThrow();
}

void WayMarks::add_store(llvm::Instruction& store, uint32_t site) { mark(*store.getNextNode(), site, kStoreMark, 0); }

base::Result<uint64_t> WayMarks::add(llvm::Function& function,
                                     const std::function<uint32_t(const llvm::Instruction&)>& site) {
  std::vector<llvm::Instruction*> terminators;
  for (llvm::BasicBlock& block : function)
    if (width_of(*block.getTerminator())) terminators.push_back(block.getTerminator());
  for (llvm::Instruction* terminator : terminators) {
    if (llvm::isa<llvm::IndirectBrInst>(terminator))
      return base::Error{"not supported with the processor's trace: the program has computed jumps (goto *)",
                         "record it without --pt"};
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator)) {
      for (unsigned i = 0; i < 2; ++i) mark(*way_block(*branch, i).getTerminator(), site(*terminator), 1, i == 0);
      continue;
    }
    const std::vector<llvm::BasicBlock*> successors = distinct_successors(*terminator);
    if (successors.size() >= kMostMarkedWays)
      return base::Error{"not supported with the processor's trace: a switch is too large", "record it without --pt"};
    const unsigned width = width_of(*terminator);
    for (uint32_t number = 0; number < successors.size(); ++number)
      mark(*edge_block(*terminator, *successors[number]).getTerminator(), site(*terminator), width, number);
  }
  return terminators.size();
}

}  // namespace heddle::pass
