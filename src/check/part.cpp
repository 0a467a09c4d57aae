// SPDX-License-Identifier: Apache-2.0
#include "check/part.h"

#include <algorithm>

namespace heddle::check {

using causal::Alternative;
using causal::EventId;
using causal::Execution;
using causal::HistoryId;
using causal::ThreadId;

namespace {

bool is_in(const std::vector<EventId>& events, EventId event) {
  return std::binary_search(events.begin(), events.end(), event);
}

// So many first operations of a thread are as in the execution, with all results.
uint32_t unchanged(ThreadId thread, uint32_t length, const std::vector<EventId>& free, const Alternative* alternative) {
  const auto first_free = std::lower_bound(free.begin(), free.end(), EventId{thread, 0});
  if (first_free != free.end() && first_free->thread == thread) length = std::min(length, first_free->index);
  if (alternative && alternative->event.thread == thread) length = std::min(length, alternative->event.index);
  return length;
}

// Of a thread's first operations, with free loads left open.
HistoryId open_history(const Execution& execution, ThreadId thread, uint32_t length, const std::vector<EventId>& free,
                       const Alternative* alternative, causal::Histories& histories) {
  const causal::ThreadPart& part = execution.threads[thread];
  const uint32_t begin = unchanged(thread, length, free, alternative);
  HistoryId history = part.histories[begin];
  for (uint32_t i = begin; i < length; ++i) {
    const EventId event = {thread, i};
    if (is_in(free, event)) {
      history = histories.after_open(history);
      continue;
    }
    const HeddleRecord& operation =
        alternative && alternative->event == event ? alternative->operation : part.operations[i];
    if (causal::teaches(operation)) history = histories.after(history, causal::lesson_of(operation));
  }
  return history;
}

}  // namespace

void Part::make_key(std::vector<uint32_t>& key) const {
  key.clear();
  for (ThreadId t = 0; t < cut.size(); ++t)
    if (cut[t]) key.insert(key.end(), {t, histories[t], cut[t]});
}

void make_part(const Execution& execution, const causal::FirstUses& uses, const causal::Cut& cut, const Part& before,
               const Alternative& alternative, causal::Histories& histories, Part& part) {
  const EventId changed = alternative.event;
  part.cut = cut;
  part.pinned.clear();
  part.free.clear();
  for (const EventId event : before.pinned)
    if (causal::contains(cut, event) && uses.is_free(event, cut[event.thread])) part.pinned.push_back(event);
  part.pinned.push_back(changed);
  std::sort(part.pinned.begin(), part.pinned.end());
  part.pinned.erase(std::unique(part.pinned.begin(), part.pinned.end()), part.pinned.end());
  for (ThreadId t = 0; t < cut.size(); ++t)
    for (const uint32_t i : uses.late_used(t))
      if (i < cut[t] && uses.is_free({t, i}, cut[t]) && !is_in(part.pinned, {t, i})) part.free.push_back({t, i});
  part.histories.assign(cut.size(), 0);
  part.known.assign(cut.size(), 0);
  for (ThreadId t = 0; t < cut.size(); ++t) {
    if (cut[t] == 0) continue;
    part.histories[t] = open_history(execution, t, cut[t], part.free, &alternative, histories);
    const bool is_open = !std::ranges::none_of(part.free, [&](EventId event) { return event.thread == t; });
    part.known[t] =
        is_open ? execution.threads[t].histories[unchanged(t, cut[t], part.free, &alternative)] : part.histories[t];
  }
}

bool contains(const Execution& execution, const Part& part, causal::Histories& histories) {
  for (ThreadId t = 0; t < part.cut.size(); ++t) {
    if (part.cut[t] == 0) continue;
    if (execution.length(t) < part.cut[t]) return false;
    if (open_history(execution, t, part.cut[t], part.free, nullptr, histories) != part.histories[t]) return false;
  }
  return true;
}

}  // namespace heddle::check
