// SPDX-License-Identifier: Apache-2.0
#include "naming/event_order.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/check.h"

namespace heddle::naming {

EventOrder::EventOrder(const trace::Trace& trace)
    : trace_(trace), events_(trace.events.size()), by_thread_(trace.threads.size()) {
  HEDDLE_CHECK(trace.events.size() < UINT32_MAX, "a trace in memory has less than 2^32 events");
  std::iota(events_.begin(), events_.end(), 0u);
  for (const uint32_t event : events_) {
    const uint32_t thread = trace.events[event].record.thread;
    HEDDLE_CHECK(thread < trace.threads.size(), "every event's thread is in the trace's table");
    if (trace.events[event].record.kind != HEDDLE_FLUSH) by_thread_[thread].push_back(event);
  }
  if (trace.header.mode == trace::Mode::kFree) order_free_events();
}

// After a synchronisation event come the events of its thread up to the next
// one; a synchronisation number belongs to one thread, so sorting by it is
// enough.
void EventOrder::order_free_events() {
  sync_before_.assign(events_.size(), 0);
  sync_after_.assign(events_.size(), UINT64_MAX);
  for (const auto& thread : by_thread_) {
    uint64_t last = 0;
    for (const uint32_t event : thread) {
      last = std::max(last, trace_.events[event].sequence);
      sync_before_[event] = last;
    }
    uint64_t next = UINT64_MAX;
    for (auto event = thread.rbegin(); event != thread.rend(); ++event) {
      if (trace_.events[*event].sequence != 0) next = trace_.events[*event].sequence;
      sync_after_[*event] = next;
    }
  }
  // Stretches of one thread from one synchronisation to the next; few compared with events.
  struct Stretch {
    uint64_t sync;
    const uint32_t* begin;
    const uint32_t* end;
  };
  std::vector<Stretch> stretches;
  for (const auto& thread : by_thread_) {
    const uint32_t* const end = thread.data() + thread.size();
    for (const uint32_t* begin = thread.data(); begin != end;) {
      const uint32_t* last = begin + 1;
      while (last != end && sync_before_[*last] == sync_before_[*begin]) ++last;
      stretches.push_back({sync_before_[*begin], begin, last});
      begin = last;
    }
  }
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return a.sync != b.sync ? a.sync < b.sync : *a.begin < *b.begin;
  });
  events_.clear();
  for (const Stretch& stretch : stretches) events_.insert(events_.end(), stretch.begin, stretch.end);
  // Nobody's place in a thread, and not in a free run either: last.
  for (uint32_t event = 0; events_.size() < trace_.events.size(); ++event) {
    if (trace_.events[event].record.kind == HEDDLE_FLUSH) events_.push_back(event);
  }
  time_.resize(events_.size());
  for (uint32_t at = 0; at < events_.size(); ++at) time_[events_[at]] = at;
}

bool EventOrder::surely_before(uint32_t earlier, uint32_t later) const {
  if (time_.empty()) return earlier < later;
  if (trace_.events[earlier].record.thread == trace_.events[later].record.thread) return earlier < later;
  return sync_after_[earlier] < sync_before_[later];
}

std::optional<uint32_t> EventOrder::find(const trace::Event& event) const {
  const trace::Event* const first = trace_.events.data();
  if (std::less_equal<>()(first, &event) && std::less<>()(&event, first + trace_.events.size())) {
    return static_cast<uint32_t>(&event - first);
  }
  if (event.record.thread >= by_thread_.size()) return std::nullopt;
  if (event.record.kind == HEDDLE_FLUSH) {
    const auto flush = std::find(trace_.events.begin(), trace_.events.end(), event);
    if (flush == trace_.events.end()) return std::nullopt;
    return static_cast<uint32_t>(flush - trace_.events.begin());
  }
  const auto& own = by_thread_[event.record.thread];
  auto at = std::lower_bound(own.begin(), own.end(), event.record.index, [&](uint32_t candidate, uint32_t index) {
    return trace_.events[candidate].record.index < index;
  });
  for (; at != own.end() && trace_.events[*at].record.index == event.record.index; ++at) {
    if (trace_.events[*at] == event) return *at;
  }
  return std::nullopt;
}

}  // namespace heddle::naming
