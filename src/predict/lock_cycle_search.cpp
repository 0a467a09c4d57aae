// SPDX-License-Identifier: Apache-2.0
#include "predict/lock_cycle_search.h"

#include <algorithm>

#include "causal/unmodelled.h"
#include "predict/carried_state.h"
#include "predict/window.h"
#include "property/lock_cycles.h"

namespace heddle::predict {

using property::BlockedThread;

namespace {

std::set<uint32_t> sites_of(const std::vector<BlockedThread>& blocked) {
  std::set<uint32_t> sites;
  for (const BlockedThread& one : blocked) sites.insert(one.operation.site);
  return sites;
}

}  // namespace

void LockCycleSearch::know(const std::vector<BlockedThread>& blocked) { known_.push_back(sites_of(blocked)); }

bool LockCycleSearch::is_new(const std::vector<BlockedThread>& blocked) const {
  const std::set<uint32_t> own = sites_of(blocked);
  const auto has_all = [&](const std::set<uint32_t>& sites) {
    return std::includes(sites.begin(), sites.end(), own.begin(), own.end());
  };
  return !circles_.count(own) && std::none_of(known_.begin(), known_.end(), has_all);
}

void LockCycleSearch::find(const causal::Dependences& dependences, const Window* window) {
  const auto take = [&](const property::LockCycle& found) {
    PredictedBug bug;
    bug.kind = PredictedBug::Kind::kLockCycle;
    std::vector<uint32_t> threads;
    for (const BlockedThread& blocked : found.blocked) {
      const causal::EventId event{blocked.thread, blocked.operation.index};
      if (window && window->is_added(event)) return false;
      threads.push_back(blocked.thread);
      bug.places.push_back({window ? window->outside(event) : event, blocked.operation.site});
    }
    bug.order.history = window ? window->begin() : 0;
    bug.order.plan = window ? window->translate(found.plan) : found.plan;
    const std::string refused = witness_.check_circle(bug.order.history, bug.order.plan, threads);
    if (!refused.empty()) gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
    if (!refused.empty() || !take_(bug)) return false;
    circles_.insert(sites_of(found.blocked));
    return true;
  };
  const auto is_worth_it = [&](const std::vector<BlockedThread>& blocked) { return is_new(blocked); };
  if (!property::find_lock_cycles(dependences, schedule::MemoryModel::kSc, ask_, is_worth_it, take))
    gaps_.raise(HEDDLE_GAP_PREDICTED_CYCLES);
}

void find_cycles_in_windows(const trace::Trace& trace, const Options& options, const property::AskSolver& ask,
                            const TakeBug& take, gaps::Gaps& gaps) {
  Witness witness(trace);
  LockCycleSearch search(ask, take, witness, gaps);
  CarriedState state(trace.threads.size());
  causal::ThreadTable threads;
  threads.ids_of(trace.threads);
  for (size_t begin = 0, end; begin < trace.events.size(); begin = end) {
    end = end_of_window(trace, begin, options.window);
    const Window window(trace, begin, end, state, threads);
    if (property::may_have_lock_cycle(window.execution())) {
      if (causal::is_too_large(window.execution())) {
        gaps.raise(HEDDLE_GAP_WINDOW_TOO_LARGE);
      } else {
        search.find(causal::Dependences(window.execution()), &window);
      }
    }
    for (size_t at = begin; at < end; ++at)
      if (trace::is_visible(trace.events[at].record)) state.apply(trace.events[at].record);
  }
}

}  // namespace heddle::predict
