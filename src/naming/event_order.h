// SPDX-License-Identifier: Apache-2.0
//
// The order of a trace's events, as far as it is known. A controlled trace is
// totally ordered. Of a free one we know the order within each thread and the
// numbers of synchronisation events; `time` is then one order that agrees with
// both, and surely_before says what is certain.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace heddle::naming {

// Events are places in Trace::events. Keeps a reference to the trace.
class EventOrder {
 public:
  explicit EventOrder(const trace::Trace& trace);

  // All events, earliest first.
  std::span<const uint32_t> events() const { return events_; }
  // The events of a thread, in its order. Not when its stores reached memory
  // (FLUSH): that has no place in it.
  std::span<const uint32_t> events_of(uint32_t thread) const { return by_thread_[thread]; }

  // Place in events().
  uint32_t time(uint32_t event) const { return time_.empty() ? event : time_[event]; }
  // Not merely earlier in events(): no run with this trace has them the other way round.
  bool surely_before(uint32_t earlier, uint32_t later) const;

  // Where `event` stands: itself if it is an element of the trace, else the equal
  // one (the first, among other records without number).
  std::optional<uint32_t> find(const trace::Event& event) const;

 private:
  void order_free_events();

  const trace::Trace& trace_;
  std::vector<uint32_t> events_;
  std::vector<std::vector<uint32_t>> by_thread_;
  // Free traces only; by event.
  std::vector<uint32_t> time_;
  std::vector<uint64_t> sync_before_;  // of the thread's last synchronisation up to here; 0: none
  std::vector<uint64_t> sync_after_;   // of its next one from here on; UINT64_MAX: none
};

}  // namespace heddle::naming
