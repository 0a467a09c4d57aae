// SPDX-License-Identifier: Apache-2.0
//
// Runs in which threads have changed places.
#include <algorithm>
#include <functional>
#include <map>

#include "check/learn/recorded_operation.h"
#include "check/learn/symmetry.h"

namespace heddle::check::learn {

// Whether this thread was seen to go that way, which another one of its group has gone.
bool Symmetry::knows(const Group& group, ThreadId member, const std::vector<ExecutionReader::Followed>& points) {
  PointId at = model_.automata.root(member, group.birth);
  for (const ExecutionReader::Followed& followed : points) {
    const Edge* const edge =
        same_edge(model_.automata[at], followed.result, is_private(model_.automata[followed.point]));
    if (!edge) return false;
    at = edge->next;
  }
  return true;
}

std::vector<Symmetry::Plan> Symmetry::exchanged(const causal::Execution& execution) {
  std::vector<Plan> plans;
  size_t most = 0;
  for (const Group& group : groups_) most = std::max(most, group.members.size());
  for (size_t turn = 1; turn < most; ++turn) {
    std::vector<ThreadId> others(execution.threads.size());
    for (ThreadId thread = 0; thread < others.size(); ++thread) others[thread] = thread;
    bool is_new = false;
    for (const Group& group : groups_) {
      for (size_t i = 0; i < group.members.size(); ++i) {
        const ThreadId member = group.members[i], other = group.members[(i + turn) % group.members.size()];
        if (member >= others.size()) continue;
        others[member] = other;
        is_new |= !knows(group, other, reader_.followed(member));
      }
    }
    if (is_new) plans.push_back(with_others(execution, others));
  }
  return plans;
}

// A load or store of memory that only its thread was ever seen to touch.
bool Symmetry::touches_nobody(const HeddleRecord& record) const {
  if (!has_memory(record.kind) || !record.size) return false;
  for (uint64_t word = record.address / 8; word <= (record.address + record.size - 1) / 8; ++word) {
    const auto slot = model_.layout.find(Space::kWord, word);
    if (!slot || reader_.is_shared(*slot)) return false;
  }
  return true;
}

// The order of the execution, but all of a group are created before any other thread does something, if that makes no
// difference: whoever comes to be the first one must be there.
std::vector<causal::Happening> Symmetry::created_first(const causal::Execution& execution) const {
  std::vector<causal::Happening> order = execution.order;
  for (const Group& group : groups_) {
    const auto is_parents = [&](const causal::Happening& one) { return one.event.thread == group.parent; };
    const auto creates = [&](const causal::Happening& one) {
      const HeddleRecord& record = execution.operation(one.event);
      return is_parents(one) && !one.is_flush && record.kind == HEDDLE_THREAD_CREATE &&
             group_of(static_cast<ThreadId>(record.value)) == &group;
    };
    const auto concerns_nobody = [&](const causal::Happening& one) {
      const HeddleRecord& record = execution.operation(one.event);
      return !is_parents(one) || record.kind == HEDDLE_THREAD_CREATE || touches_nobody(record);
    };
    const auto end = std::find_if(order.rbegin(), order.rend(), creates).base();
    const auto begin = std::find_if_not(order.begin(), end, is_parents);
    if (!std::all_of(begin, end, concerns_nobody)) continue;
    const std::vector<causal::Happening> before(begin, end);
    const auto rest = std::copy_if(before.begin(), before.end(), begin, is_parents);
    std::copy_if(before.begin(), before.end(), rest, std::not_fn(is_parents));
  }
  return order;
}

// The execution with other threads in the place of some. Waits for their ends are put off until all have ended.
Symmetry::Plan Symmetry::with_others(const causal::Execution& execution, const std::vector<ThreadId>& others) const {
  Plan plan;
  std::map<ThreadId, Plan> waiting;  // by thread: what it does from its first wait for an end on
  for (const causal::Happening& happening : created_first(execution)) {
    const HeddleRecord& record = execution.operation(happening.event);
    const causal::EventId event = {others[happening.event.thread], happening.event.index};
    if (happening.is_flush) {
      if (!happening.is_dropped) plan.push_back({schedule::StepKind::kFlush, event, 0, 0});
      continue;
    }
    if (record.kind == HEDDLE_EXTERN_WRITE || (record.kind == HEDDLE_FAIL && !takes_a_turn(record))) continue;
    const auto row = waiting.find(event.thread);
    const bool goes_on = row != waiting.end() && record.kind == HEDDLE_LOAD && touches_nobody(record);
    if (goes_on || record.kind == HEDDLE_THREAD_JOIN) {
      waiting[event.thread].push_back(property::step_of(event, record));
      continue;
    }
    if (row != waiting.end()) {
      plan.insert(plan.end(), row->second.begin(), row->second.end());
      waiting.erase(row);
    }
    plan.push_back(property::step_of(event, record));
  }
  return plan;
}

}  // namespace heddle::check::learn
