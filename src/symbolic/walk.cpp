// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walk.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "symbolic/detours.h"

namespace heddle::symbolic {

bool fails(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* function = call ? call->getCalledFunction() : nullptr;
    if (!function) continue;
    for (const char* name : {"__assert_fail", "__heddle_assert_failed", "abort", "reach_error", "_ZSt9terminatev"})
      if (function->getName() == name) return true;
  }
  return false;
}

void Walk::step() {
  const llvm::Instruction& instruction = *frame().next++;
  ++state_.statistics.instructions;
  state_.was_asked = false;
  if (instruction.isTerminator()) return end_block(instruction);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !llvm::isa<llvm::MemIntrinsic>(call))
    return this->call(*call);
  Register result(state_.parts_of(instruction.getType()));
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    make_local(*local, result);
  } else if (!access_memory(state_, instruction, result)) {
    if (!compute(state_, instruction, result)) hold(instruction, result);
  }
  if (!is_over()) settle(instruction, std::move(result));
}

// Keeps its value, and so does what it was made of.
void Walk::hold(const llvm::Instruction& instruction, Register& result) {
  if (state_.is_detour) return state_.stick("something that is not computed");
  state_.hold_operands(instruction);
  ++state_.statistics.held;
  result.assign(state_.parts_of(instruction.getType()), std::nullopt);
}

// The result of the instruction, compared with what is known of it.
void Walk::settle(const llvm::Instruction& instruction, Register result) {
  const std::optional<uint64_t> told = state_.told(instruction);
  if (is_over()) return;
  const unsigned width = state_.width_of(instruction.getType());
  if (told && width && result[0] && state_.terms.observed(*result[0]) != *told)
    return lose("the walk and the run compute different values at site " +
                std::to_string(state_.program.site(instruction)));
  if (told && width && !result[0]) result = {state_.terms.constant(width, *told)};
  if (!instruction.getType()->isVoidTy()) frame().registers[&instruction] = std::move(result);
}

void Walk::make_local(const llvm::AllocaInst& local, Register& result) {
  if (state_.is_detour) return state_.stick("a local variable in memory");
  state_.hold_operands(local);
  const uint64_t each = state_.layout().getTypeAllocSize(local.getAllocatedType());
  const std::optional<Term> count = state_.term_of(local.getArraySize());
  const uint64_t size = each * (count ? state_.terms.observed(*count) : 1);
  std::optional<uint64_t> address = state_.told(local);
  if (!address && !is_over()) address = source().local(state_.program.site(local), size);
  if (!address) return;
  state_.memory.forget(*address, size);
  result = {state_.terms.constant(64, *address)};
}

void Walk::go_to(const llvm::BasicBlock& block) {
  if (state_.is_detour && !frame().visited.insert(&block).second) return state_.stick("a loop");
  Frame& own = frame();
  own.came_from = own.block;
  own.block = &block;
  own.next = block.begin();
  std::vector<std::pair<const llvm::PHINode*, Register>> values;
  for (const llvm::PHINode& phi : block.phis()) {
    const llvm::Value* value = phi.getIncomingValueForBlock(own.came_from);
    values.emplace_back(&phi, state_.register_of(value));
    ++own.next;
  }
  for (auto& [phi, value] : values) {
    state_.was_asked = false;
    settle(*phi, std::move(value));
    if (is_over()) return;
  }
}

void Walk::end_block(const llvm::Instruction& end) {
  if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(&end)) return leave(*back);
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) return take(*branch);
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) return take(*choice);
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&end)) return call(*invoke);
  lose(llvm::isa<llvm::ResumeInst>(end) ? "an exception" : "a jump that is not understood");
}

// Nothing: the path ends here.
std::optional<uint32_t> Walk::ask_way(uint32_t site) {
  const std::optional<uint32_t> way = source().way(site);
  if (way) state_.trace.certain_operations = static_cast<uint32_t>(state_.trace.operations.size());
  if (!way && !is_over()) lose("a branch of which nobody knows where it went");
  return way;
}

void Walk::take(const llvm::BranchInst& branch) {
  if (branch.isUnconditional()) return go_to(*branch.getSuccessor(0));
  const uint32_t site = state_.program.site(branch);
  const std::optional<uint32_t> way = ask_way(site);
  if (!way || *way > 1) return;
  if (detours_) explore_detours(state_, branch, *way);
  if (state_.is_detour && !state_.term_of(branch.getCondition()))
    return state_.stick("a branch on something that is not known");
  if (const std::optional<Term> condition = state_.term_of(branch.getCondition()))
    state_.require(*way == 0 ? *condition : state_.terms.complement(*condition), site,
                   fails(*branch.getSuccessor(1 - *way)) ? Condition::Kind::kAssertion : Condition::Kind::kBranch);
  go_to(*branch.getSuccessor(*way));
}

Term leads_to(solve::Terms& terms, const llvm::SwitchInst& choice, Term value, const llvm::BasicBlock& block) {
  Term is_one = terms.truth(false), is_none = terms.truth(true);  // of the cases of this block; of those of others
  for (const auto& option : choice.cases()) {
    const Term equal = terms.eq(value, terms.constant(terms.width(value), option.getCaseValue()->getZExtValue()));
    if (option.getCaseSuccessor() == &block) {
      is_one = terms.either(is_one, equal);
    } else {
      is_none = terms.both(is_none, terms.complement(equal));
    }
  }
  return choice.getDefaultDest() == &block ? is_none : is_one;
}

void Walk::take(const llvm::SwitchInst& choice) {
  const std::optional<Term> term = state_.term_of(choice.getCondition());
  if (state_.is_detour)
    return term ? choose_way(choice, *term) : state_.stick("a branch on something that is not known");
  const uint32_t site = state_.program.site(choice);
  const std::optional<uint32_t> way = ask_way(site);
  if (!way || *way >= choice.getNumSuccessors()) return;
  const llvm::BasicBlock& block = *choice.getSuccessor(*way);
  if (detours_) explore_detours(state_, choice, *way);
  if (term) state_.require(leads_to(state_.terms, choice, *term, block), site, Condition::Kind::kBranch);
  go_to(block);
}

// A detour: at each block that the switch leads to, there or further.
void Walk::choose_way(const llvm::SwitchInst& choice, Term term) {
  const uint32_t site = state_.program.site(choice);
  std::vector<const llvm::BasicBlock*> blocks;
  for (const llvm::BasicBlock* block : llvm::successors(choice.getParent()))
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
  size_t chosen = 0;
  while (chosen + 1 < blocks.size() && ask_way(site).value_or(0) == 1) ++chosen;
  state_.require(leads_to(state_.terms, choice, term, *blocks[chosen]), site, Condition::Kind::kBranch);
  go_to(*blocks[chosen]);
}

}  // namespace heddle::symbolic
