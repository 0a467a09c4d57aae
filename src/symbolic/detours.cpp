// SPDX-License-Identifier: Apache-2.0
#include "symbolic/detours.h"

#include <llvm/IR/CFG.h>

#include "symbolic/walk.h"

namespace heddle::symbolic {
namespace {

// Paths of a side, accesses and steps of a path; and times that the sides of a branch are looked at.
constexpr size_t kMostPaths = 64, kMostOperations = 64;
constexpr int kMostSteps = 2000, kMostOfABranch = 32;

// The paths of a detour, one after the other: at each branch first one side, later the other.
class DetourPath : public PathSource {
 public:
  // False: there is no other path.
  bool next_path() {
    while (!ways_.empty() && ways_.back() == 1) ways_.pop_back();
    if (ways_.empty()) return false;
    ways_.back() = 1;
    asked_ = 0;
    return true;
  }

  bool is_lost() const override { return false; }
  std::string why() const override { return ""; }
  bool has_ended() override { return false; }
  std::vector<std::optional<uint64_t>> enter(uint32_t, uint32_t) override { return {}; }
  void leave(uint32_t) override {}
  std::optional<uint32_t> next_function() override { return std::nullopt; }
  std::optional<uint32_t> way(uint32_t) override {
    if (asked_ == ways_.size()) ways_.push_back(0);
    return ways_[asked_++];
  }
  std::optional<uint64_t> value(uint32_t) override { return std::nullopt; }
  std::optional<HeddleRecord> access(uint32_t) override { return std::nullopt; }
  std::vector<HeddleRecord> outside(const OutsideCall&) override { return {}; }
  std::optional<uint64_t> local(uint32_t, uint64_t) override { return std::nullopt; }
  std::optional<uint64_t> global(const std::string&) override { return std::nullopt; }
  std::vector<HeddleRecord> rest() override { return {}; }

 private:
  std::vector<uint32_t> ways_;
  size_t asked_ = 0;
};

// A condition that no values fulfil is one that no path of the program has.
bool is_impossible(const WalkState& state, Term condition) {
  return state.terms.is_constant(condition) && state.terms.value(condition) == 0;
}

// All paths that begin with `side`, which is where the branch leads if the condition holds.
void explore_side(WalkState& state, const llvm::Instruction& branch, const llvm::BasicBlock& side, Term condition) {
  DetourPath path;
  WalkStatistics statistics;
  for (size_t paths = 0;; ++paths) {
    if (paths == kMostPaths) {
      statistics.sides_end_at.insert("more than " + std::to_string(kMostPaths) + " paths");
      break;
    }
    ThreadTrace own;
    own.thread = state.trace.thread + "'";
    WalkState detour(state, path, own, statistics);
    detour.is_detour = true;
    detour.frame().visited.insert(branch.getParent());
    Walk walk(detour, false);
    detour.require(condition, state.program.site(branch), Condition::Kind::kBranch);
    walk.go_to(side);
    int steps = 0;
    for (; steps < kMostSteps && !walk.is_over() && own.operations.size() < kMostOperations; ++steps) walk.step();
    if (!walk.lost().empty()) statistics.sides_end_at.insert(walk.lost());
    if (!walk.is_over())
      statistics.sides_end_at.insert(
          steps == kMostSteps ? "a long way" : "more than " + std::to_string(kMostOperations) + " accesses");
    if (!own.operations.empty()) {
      Detour found;
      found.first_operation = static_cast<uint32_t>(state.trace.operations.size());
      found.first_condition = static_cast<uint32_t>(state.trace.conditions.size());
      for (Operation& operation : own.operations) operation.index += found.first_operation;
      for (Condition& known : own.conditions) known.before_operation += found.first_operation;
      found.operations = std::move(own.operations);
      found.conditions = std::move(own.conditions);
      state.trace.detours.push_back(std::move(found));
    }
    if (!path.next_path()) break;
  }
  state.statistics.sides_end_at.merge(statistics.sides_end_at);
}

// False: it has been looked at often enough.
bool may_explore(WalkState& state, const llvm::Instruction& branch) {
  if (++state.detours_of[&branch] <= kMostOfABranch) return true;
  state.statistics.sides_end_at.insert("a branch that comes more than " + std::to_string(kMostOfABranch) + " times");
  return false;
}

}  // namespace

void explore_detours(WalkState& state, const llvm::BranchInst& branch, uint32_t taken) {
  const std::optional<Term> condition = state.term_of(branch.getCondition());
  const llvm::BasicBlock& other = *branch.getSuccessor(1 - taken);
  if (!condition || state.terms.is_constant(*condition) || fails(other) || !may_explore(state, branch)) return;
  explore_side(state, branch, other, taken == 0 ? state.terms.complement(*condition) : *condition);
}

void explore_detours(WalkState& state, const llvm::SwitchInst& choice, uint32_t taken) {
  const std::optional<Term> value = state.term_of(choice.getCondition());
  if (!value || state.terms.is_constant(*value)) return;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  seen.insert(choice.getSuccessor(taken));
  bool is_asked = false;
  for (const llvm::BasicBlock* side : llvm::successors(choice.getParent())) {
    const Term condition = leads_to(state.terms, choice, *value, *side);
    if (!seen.insert(side).second || fails(*side) || is_impossible(state, condition)) continue;
    if (!is_asked && !may_explore(state, choice)) return;
    is_asked = true;
    explore_side(state, choice, *side, condition);
  }
}

}  // namespace heddle::symbolic
