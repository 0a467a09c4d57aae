// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walk_trace.h"

#include "base/check.h"
#include "symbolic/trace_path.h"
#include "symbolic/walker.h"

namespace heddle::symbolic {

WalkedTrace walk_trace(const trace::Trace& trace, const build::NumberedProgram& program, bool detours) {
  WalkedTrace result;
  std::vector<std::vector<const HeddleRecord*>> records = records_of_threads(trace);
  for (uint32_t thread = 0; thread < records.size(); ++thread) {
    TracePath path(std::move(records[thread]));
    result.symbolic.threads.push_back(
        walk_thread(program, path, result.terms, trace.thread_name(thread), result.symbolic.statistics, detours));
    const auto& operations = result.symbolic.threads.back().operations;
    for (uint32_t i = 0; i < operations.size(); ++i)
      HEDDLE_CHECK(operations[i].index == i, "the walk has every operation of its thread, in order");
  }
  return result;
}

void drop_local_records(trace::Trace& trace) {
  std::erase_if(trace.events, [](const trace::Event& event) {
    return event.record.kind == HEDDLE_BRANCH || event.record.kind == HEDDLE_LOCAL_VALUE;
  });
}

bool has_same_operations(const trace::Trace& one, const trace::Trace& other) {
  const auto next = [](const trace::Trace& trace, size_t& at) {
    while (at < trace.events.size() && !trace::is_visible(trace.events[at].record)) ++at;
    return at < trace.events.size() ? &trace.events[at++].record : nullptr;
  };
  for (size_t first = 0, second = 0;;) {
    const HeddleRecord *mine = next(one, first), *theirs = next(other, second);
    if (!mine || !theirs) return mine == theirs;
    const bool is_same = mine->kind == theirs->kind && mine->thread == theirs->thread && mine->index == theirs->index &&
                         mine->site == theirs->site && mine->flags == theirs->flags && mine->size == theirs->size;
    if (!is_same) return false;
  }
}

}  // namespace heddle::symbolic
