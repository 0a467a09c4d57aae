// SPDX-License-Identifier: Apache-2.0
#include "check/enumeration_explorer.h"

#include "causal/operation.h"
#include "check/choice_values.h"
#include "check/preemptions.h"

namespace heddle::check {

using property::PlannedStep;

namespace {

bool releases_memory(const causal::Execution& execution) {
  for (const causal::ThreadPart& part : execution.threads)
    for (const HeddleRecord& operation : part.operations)
      if (operation.kind == HEDDLE_FREE) return true;
  return false;
}

// Another thread joins or detaches the same thread, or would do so next: only the first one may.
bool is_disputed(const HeddleRecord& join, const causal::Execution& execution) {
  const auto ends_life = [](uint64_t kind) {
    const HeddleEffect effect = semantics::effect_of(static_cast<uint8_t>(kind));
    return effect == HEDDLE_EFFECT_JOIN || effect == HEDDLE_EFFECT_DETACH;
  };
  for (const causal::ThreadPart& part : execution.threads)
    for (const HeddleRecord& other : part.operations)
      if (other.thread != join.thread && ends_life(other.kind) && other.value == join.value) return true;
  return std::any_of(execution.waiting.begin(), execution.waiting.end(), [&](const causal::Waiting& waiting) {
    const bool is_other = waiting.thread != join.thread && waiting.record.value == join.value + 1;
    return is_other && ends_life(waiting.record.value2);
  });
}

bool overlap(const causal::LocalEnd& end, const HeddleRecord& access) {
  return access.address < end.address + end.size && end.address < access.address + access.size;
}

// A store to a local variable of another thread: once that function has returned, it fails.
bool is_to_local_of_another(const HeddleRecord& store, const causal::Execution& execution) {
  return std::any_of(execution.local_ends.begin(), execution.local_ends.end(), [&](const causal::LocalEnd& end) {
    return end.before.thread != store.thread && overlap(end, store);
  });
}

// After the operation its thread leaves a function, and another thread accesses its locals.
bool ends_shared_local(const HeddleRecord& operation, const causal::Execution& execution) {
  const causal::EventId next = {operation.thread, operation.index + 1};
  const auto is_accessed = [&](const causal::LocalEnd& end) {
    if (end.before != next) return false;
    for (const causal::ThreadPart& part : execution.threads)
      for (const HeddleRecord& other : part.operations)
        if (other.thread != operation.thread && overlap(end, other)) return true;
    return false;
  };
  return std::any_of(execution.local_ends.begin(), execution.local_ends.end(), is_accessed);
}

// Steps whose place among the steps of others makes no difference to anybody:
// whatever else could happen there can as well happen after them.
bool is_unnoticed(const RunPoint& point, const causal::Execution& execution, schedule::MemoryModel memory) {
  if (point.process.is_flush() || point.end != point.at + 1) return false;
  const HeddleRecord& operation = execution.operation(execution.order[point.at].event);
  if (ends_shared_local(operation, execution)) return false;
  switch (operation.kind) {
    case HEDDLE_STORE:
      return causal::is_buffered(operation, memory) && !releases_memory(execution) &&
             !is_to_local_of_another(operation, execution);
    case HEDDLE_THREAD_JOIN: return !is_disputed(operation, execution);
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_FENCE: return true;
    default: return false;
  }
}

}  // namespace

EnumerationExplorer::EnumerationExplorer(const Options& options)
    : memory_(options.memory),
      counts_preemptions_(options.reduction == Reduction::kIcb),
      bound_(counts_preemptions_ ? options.context_bound : std::nullopt) {
  waiting_[0].emplace_back();
}

std::optional<Job> EnumerationExplorer::next() {
  while (!waiting_.empty() && waiting_.begin()->second.empty()) waiting_.erase(waiting_.begin());
  if (waiting_.empty()) return std::nullopt;
  auto& [preemptions, plans] = *waiting_.begin();
  preemptions_ = preemptions;
  plan_ = std::move(plans.back());
  plans.pop_back();
  return Job{.plan = plan_, .lists_options = true, .runs_all_orders = true};
}

void EnumerationExplorer::add(uint32_t preemptions, const std::vector<PlannedStep>& before, const Way& way) {
  if (bound_ && preemptions > *bound_) {
    gaps_.raise(HEDDLE_GAP_CONTEXT_BOUND, std::to_string(*bound_));
    return;
  }
  std::vector<PlannedStep> plan = before;
  plan.insert(plan.end(), way.begin(), way.end());
  waiting_[counts_preemptions_ ? preemptions : 0].push_back(std::move(plan));
}

void EnumerationExplorer::learn(ExecutionRef execution) {
  const size_t given = points_in(plan_);
  const std::vector<RunPoint> points = points_of(*execution, plan_);
  if (execution->ending.outcome == HEDDLE_OUTCOME_DIVERGED) return;  // the session says so
  std::vector<PlannedStep> before;
  Preemptions preemptions;
  uint32_t count = 0;
  for (size_t number = 0; number < points.size(); ++number) {
    const RunPoint& point = points[number];
    // Where a thread begins to run, another may begin without a preemption; later it may not.
    const bool is_free_switch = counts_preemptions_ && !preemptions.is_running(point.process);
    if (number >= given && !is_free_switch && is_unnoticed(point, *execution, memory_)) {
      count += preemptions.is_preemption(point, point.process);
    } else if (number >= given) {
      for (const Possible& possible : point.possible) {
        if (possible.process == point.process) continue;
        if (possible.waits_in_loop) {
          gaps_.raise(HEDDLE_GAP_LOOP_ROUNDS);
        } else {
          add(preemptions_ + count + preemptions.is_preemption(point, possible.process), before, {possible.step});
        }
      }
      count += preemptions.is_preemption(point, point.process);
    }
    if (number + 1 >= given) {
      for (const Way& way : point.other_ways) add(preemptions_ + count, before, way);
      if (point.leaves_out_values) gaps_.raise(HEDDLE_GAP_CHOICE_VALUES, std::to_string(kMostChoiceValues));
    }
    before.insert(before.end(), point.way.begin(), point.way.end());
    preemptions.pass(point, *execution);
  }
}

}  // namespace heddle::check
