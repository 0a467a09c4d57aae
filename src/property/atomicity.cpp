// SPDX-License-Identifier: Apache-2.0
#include "property/atomicity.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::property {

using causal::Cut;
using causal::EventId;

bool is_own_access(const HeddleRecord& operation) {
  return operation.size > 0 && (operation.kind == HEDDLE_LOAD || operation.kind == HEDDLE_STORE ||
                                operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS);
}

const char* unserialisable(const HeddleRecord& first, const HeddleRecord& middle, const HeddleRecord& last) {
  const bool last_writes = causal::writes_memory(last) && last.kind != HEDDLE_CAS;
  if (causal::writes_memory(middle)) {
    if (causal::reads_memory(last)) return causal::writes_memory(first) ? "W-W-R" : "R-W-R";
    if (last_writes && causal::reads_memory(first)) return "R-W-W";
  }
  return causal::reads_memory(middle) && causal::writes_memory(first) && last_writes ? "W-R-W" : nullptr;
}

AtomicityQuestion::AtomicityQuestion(const causal::Dependences& dependences, AskSolver ask, size_t most_steps)
    : dependences_(dependences),
      execution_(dependences.execution()),
      ask_(std::move(ask)),
      most_steps_(most_steps),
      closure_(dependences),
      problem_(dependences, schedule::MemoryModel::kSc) {}

std::optional<std::vector<PlannedStep>> AtomicityQuestion::find_order(EventId first, EventId middle, EventId last) {
  if (dependences_.must_order().before(middle, first) || dependences_.must_order().before(last, middle))
    return std::nullopt;
  if (auto plan = find_order(first, middle, last, Middle::kKeepsItsValue)) return plan;
  const HeddleRecord& between = execution_.operation(middle);
  if (!causal::reads_memory(between)) return std::nullopt;
  // A compare-exchange that finds something else does not write.
  HeddleRecord reads = between;
  if (between.kind == HEDDLE_CAS) reads.kind = HEDDLE_LOAD;
  if (!unserialisable(execution_.operation(first), reads, execution_.operation(last))) return std::nullopt;
  return find_order(first, middle, last, Middle::kReadsAnything);
}

std::optional<std::vector<PlannedStep>> AtomicityQuestion::find_order(EventId first, EventId middle, EventId last,
                                                                      Middle how) {
  const bool is_free = how == Middle::kReadsAnything;
  Cut required(execution_.threads.size(), 0), limits(execution_.threads.size(), ~0u);
  required[last.thread] = limits[last.thread] = last.index;
  required[middle.thread] = middle.index + (is_free ? 0 : 1);
  if (is_free) limits[middle.thread] = middle.index;
  auto cuts = closure_.close_within(required, limits, most_steps_);
  if (!cuts) is_complete_ = false;
  if (!cuts) return std::nullopt;
  std::vector<EventId> free;
  if (causal::reads_memory(execution_.operation(last))) free.push_back(last);
  if (is_free) free.push_back(middle);
  std::sort(free.begin(), free.end());
  for (Cut& cut : *cuts) {
    cut[last.thread] = last.index + 1;
    if (is_free) cut[middle.thread] = middle.index + 1;
    problem_.set_free(free);
    const bool is_possible = problem_.build(cut);
    problem_.set_free({});
    if (!is_possible) continue;
    problem_.order_problem().edges.push_back({problem_.event_of(first), problem_.event_of(middle)});
    problem_.put_last(last);
    const solve::Answer answer = ask_(problem_.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) is_complete_ = false;
    if (answer.kind == solve::Answer::Kind::kOrder) return problem_.steps(answer.order);
  }
  return std::nullopt;
}

}  // namespace heddle::property
