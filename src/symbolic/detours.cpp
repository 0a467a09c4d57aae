// SPDX-License-Identifier: Apache-2.0
#include "symbolic/detours.h"

#include "symbolic/walk.h"

namespace heddle::symbolic {
namespace {

constexpr size_t kMostPaths = 8, kMostOperations = 16;
constexpr int kMostSteps = 400, kMostOfABranch = 8;

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

}  // namespace

void explore_detours(WalkState& state, const llvm::BranchInst& branch, uint32_t taken) {
  const std::optional<Term> condition = state.term_of(branch.getCondition());
  const llvm::BasicBlock& other = *branch.getSuccessor(1 - taken);
  if (!condition || state.terms.is_constant(*condition) || fails(other)) return;
  if (++state.detours_of[&branch] > kMostOfABranch) return;
  DetourPath path;
  WalkStatistics statistics;
  for (size_t paths = 0; paths < kMostPaths; ++paths) {
    ThreadTrace side;
    side.thread = state.trace.thread + "'";
    WalkState detour(state, path, side, statistics);
    detour.is_detour = true;
    detour.visited.insert(branch.getParent());
    Walk walk(detour, false);
    detour.require(taken == 0 ? state.terms.complement(*condition) : *condition, state.program.site(branch), Condition::Kind::kBranch);
    walk.go_to(other);
    for (int steps = 0; steps < kMostSteps && !walk.is_over() && side.operations.size() < kMostOperations; ++steps) walk.step();
    if (!side.operations.empty()) {
      Detour found;
      found.first_operation = static_cast<uint32_t>(state.trace.operations.size());
      found.first_condition = static_cast<uint32_t>(state.trace.conditions.size());
      for (Operation& operation : side.operations) operation.index += found.first_operation;
      for (Condition& known : side.conditions) known.before_operation += found.first_operation;
      found.operations = std::move(side.operations);
      found.conditions = std::move(side.conditions);
      state.trace.detours.push_back(std::move(found));
    }
    if (!path.next_path()) break;
  }
}

}  // namespace heddle::symbolic
