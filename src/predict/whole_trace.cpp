// SPDX-License-Identifier: Apache-2.0
#include "predict/whole_trace.h"

#include <algorithm>

#include "causal/needs.h"
#include "causal/unmodelled.h"
#include "predict/lock_cycle_search.h"
#include "predict/witness.h"
#include "property/deadlocks.h"
#include "property/lock_cycles.h"
#include "property/use_after_free.h"

namespace heddle::predict {

namespace {

constexpr schedule::MemoryModel kModel = schedule::MemoryModel::kSc;
// Operations of all cuts that are looked at for threads that all block: a second or two.
constexpr uint64_t kMostWork = 5'000'000;

class WholeTraceSearch {
 public:
  WholeTraceSearch(const trace::Trace& trace, const property::AskSolver& ask, const TakeBug& take, gaps::Gaps& gaps)
      : ask_(ask), take_(take), gaps_(gaps), witness_(trace), cycles_(ask, take, witness_, gaps) {
    std::vector<HeddleRecord> records;
    for (const trace::Event& event : trace.events) records.push_back(event.record);
    causal::Histories histories;
    execution_ = causal::make_execution(records, trace.threads, trace.ending, threads_, histories);
  }

  void run(const Options& options) {
    const bool deadlocks = options.find_deadlocks && property::may_deadlock(execution_);
    const bool cycles = options.find_deadlocks && property::may_have_lock_cycle(execution_);
    const bool uses = options.find_uses_after_free && property::may_use_after_free(execution_);
    if (!deadlocks && !cycles && !uses) return;
    if (causal::is_too_large(execution_)) {
      gaps_.raise(HEDDLE_GAP_TRACE_TOO_LONG);
      return;
    }
    const causal::Dependences dependences(execution_);
    if (deadlocks) find_deadlocks(dependences);
    if (cycles) cycles_.find(dependences);
    if (uses) find_uses(dependences);
  }

 private:
  void find_deadlocks(const causal::Dependences& dependences) {
    const auto search =
        property::find_deadlocks(dependences, kModel, ask_, [](const auto&) { return true; }, kMostWork);
    if (!search.is_complete) gaps_.raise(HEDDLE_GAP_PREDICTED_DEADLOCKS);
    for (const property::Deadlock& found : search.found) {
      if (found.is_livelock) continue;
      PredictedBug bug;
      for (const property::BlockedThread& blocked : found.blocked)
        bug.places.push_back({{blocked.thread, blocked.operation.index}, blocked.operation.site});
      bug.order.plan = found.plan;
      // Who locks a recursive mutex again is not blocked; only the machine knows who holds it.
      const std::string refused = witness_.check(0, found.plan, {});
      if (!refused.empty() || witness_.check_halt(found.plan).empty())
        if (settle(bug, refused)) cycles_.know(found.blocked);
    }
  }

  void find_uses(const causal::Dependences& dependences) {
    const auto search = property::find_uses_after_free(dependences, kModel, ask_, [](const auto&) { return true; });
    if (!search.is_complete) gaps_.raise(HEDDLE_GAP_PREDICTED_RELEASES);
    for (const property::UseAfterFree& found : search.found) {
      PredictedBug bug;
      bug.kind = PredictedBug::Kind::kUseAfterFree;
      for (const causal::EventId event : {found.use, found.release})
        bug.places.push_back({event, execution_.operation(event).site});
      bug.order.plan = found.plan;
      settle(bug, witness_.check_use_after_free(found.plan));
    }
  }

  // True: it stands.
  bool settle(const PredictedBug& bug, const std::string& refused) {
    if (refused.empty()) return take_(bug);
    gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
    return false;
  }

  const property::AskSolver& ask_;
  const TakeBug& take_;
  gaps::Gaps& gaps_;
  Witness witness_;
  LockCycleSearch cycles_;
  causal::ThreadTable threads_;
  causal::Execution execution_;
};

}  // namespace

void find_in_whole_trace(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                         const TakeBug& take, gaps::Gaps& gaps) {
  const property::AskSolver ask = [&solver](const solve::OrderProblem& problem) { return solver.solve(problem); };
  if (trace.events.size() <= std::max(options.window, kMostEvents))
    return WholeTraceSearch(trace, ask, take, gaps).run(options);
  if (options.find_deadlocks) {
    find_cycles_in_windows(trace, options, ask, take, gaps);
    gaps.raise(HEDDLE_GAP_RELEASES_IN_WHOLE_TRACE, "deadlocks other than circles of locks");
  }
  if (options.find_uses_after_free) gaps.raise(HEDDLE_GAP_RELEASES_IN_WHOLE_TRACE, "uses after free");
}

}  // namespace heddle::predict
