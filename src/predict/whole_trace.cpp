// SPDX-License-Identifier: Apache-2.0
#include "predict/whole_trace.h"

#include <algorithm>

#include "causal/needs.h"
#include "causal/unmodelled.h"
#include "predict/witness.h"
#include "property/deadlocks.h"
#include "property/use_after_free.h"

namespace heddle::predict {

namespace {

constexpr schedule::MemoryModel kModel = schedule::MemoryModel::kSc;

class WholeTraceSearch {
 public:
  WholeTraceSearch(const trace::Trace& trace, solve::OrderSolver& solver,
                   const std::function<void(const PredictedBug&)>& take, std::set<property::Reason>& reasons)
      : ask_([&solver](const solve::OrderProblem& problem) { return solver.solve(problem); }), take_(take),
        reasons_(reasons), witness_(trace) {
    std::vector<HeddleRecord> records;
    for (const trace::Event& event : trace.events) records.push_back(event.record);
    causal::Histories histories;
    execution_ = causal::make_execution(records, trace.threads, trace.ending, threads_, histories);
  }

  void run(const Options& options) {
    const bool deadlocks = options.find_deadlocks && property::may_deadlock(execution_);
    const bool uses = options.find_uses_after_free && property::may_use_after_free(execution_);
    if (!deadlocks && !uses) return;
    if (causal::is_too_large(execution_)) {
      reasons_.insert({"size", "too large to look for deadlocks and uses after free"});
      return;
    }
    const causal::Dependences dependences(execution_);
    if (deadlocks) find_deadlocks(dependences);
    if (uses) find_uses(dependences);
  }

 private:
  void find_deadlocks(const causal::Dependences& dependences) {
    const auto search = property::find_deadlocks(dependences, kModel, ask_, [](const auto&) { return true; });
    if (!search.is_complete) reasons_.insert({"deadlocks", "too many ways in which threads could block each other"});
    for (const property::Deadlock& found : search.found) {
      if (found.is_livelock) continue;
      PredictedBug bug;
      for (const property::BlockedThread& blocked : found.blocked) 
        bug.places.push_back({{blocked.thread, blocked.operation.index}, blocked.operation.site});
      bug.order.plan = found.plan;
      // Who locks a recursive mutex again is not blocked; only the machine knows who holds it.
      const std::string refused = witness_.check(0, found.plan, {});
      if (!refused.empty() || witness_.check_halt(found.plan).empty()) settle(bug, refused);
    }
  }

  void find_uses(const causal::Dependences& dependences) {
    const auto search = property::find_uses_after_free(dependences, kModel, ask_, [](const auto&) { return true; });
    if (!search.is_complete)
      reasons_.insert({"use-after-free", "too many orders in which memory could be freed before it is used"});
    for (const property::UseAfterFree& found : search.found) {
      PredictedBug bug;
      bug.kind = PredictedBug::Kind::kUseAfterFree;
      for (const causal::EventId event : {found.use, found.release})
        bug.places.push_back({event, execution_.operation(event).site});
      bug.order.plan = found.plan;
      settle(bug, witness_.check_use_after_free(found.plan));
    }
  }

  void settle(const PredictedBug& bug, const std::string& refused) {
    if (refused.empty()) return take_(bug);
    reasons_.insert({"witness", "an order did not hold on the trace: " + refused});
  }

  const property::AskSolver ask_;
  const std::function<void(const PredictedBug&)>& take_;
  std::set<property::Reason>& reasons_;
  Witness witness_;
  causal::ThreadTable threads_;
  causal::Execution execution_;
};

}  // namespace

void find_in_whole_trace(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                         const std::function<void(const PredictedBug&)>& take, std::set<property::Reason>& reasons) {
  if (trace.events.size() > std::max(options.window, kMostEvents)) {
    reasons.insert({"size", "deadlocks and uses after free are looked for in the whole trace only: --window=all"});
    return;
  }
  WholeTraceSearch(trace, solver, take, reasons).run(options);
}

}  // namespace heddle::predict
