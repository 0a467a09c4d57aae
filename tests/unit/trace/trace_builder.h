// SPDX-License-Identifier: Apache-2.0
//
// Makes traces for tests: by hand, event by event, with indices and sequence
// numbers filled in; and at random, for properties over all traces.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "trace/kinds.h"
#include "trace/text.h"
#include "trace/trace.h"

namespace heddle::trace {

class TraceBuilder {
 public:
  explicit TraceBuilder(Mode mode = Mode::kControlled) {
    trace_.header = {"counter", "0123456789abcdef", mode, "sc", "default", 7, 1};
    trace_.threads.push_back({});
    trace_.sites.push_back({});
    trace_.complete = true;
  }

  // Returns the number of the new thread.
  uint32_t thread(uint32_t parent) {
    const uint32_t child = children_[parent]++;
    trace_.threads.push_back({parent, child});
    return static_cast<uint32_t>(trace_.threads.size() - 1);
  }

  uint32_t site(const std::string& file, uint32_t line) {
    trace_.sites.push_back({file, line, 3, "worker", "counter"});
    return static_cast<uint32_t>(trace_.sites.size() - 1);
  }

  // Appends an event and returns it for changes.
  HeddleRecord& add(uint32_t thread, HeddleKind kind, uint64_t address = 0, uint64_t value = 0, uint64_t value2 = 0) {
    Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.thread = thread;
    event.record.address = address;
    event.record.value = value;
    event.record.value2 = value2;
    event.record.index = is_visible(event.record) ? next_index_[thread]++ : next_index_[thread];
    event.sequence = trace_.header.mode == Mode::kControlled ? trace_.events.size() : 0;
    const KindInfo* info = find_kind(event.record.kind);
    if (info->has_size && kind != HEDDLE_TEXT) event.record.size = 4;
    trace_.events.push_back(event);
    return trace_.events.back().record;
  }

  Trace& trace() { return trace_; }

 private:
  Trace trace_;
  std::map<uint32_t, uint32_t> children_;
  std::map<uint32_t, uint32_t> next_index_;
};

// Two threads that add to one counter under a lock: small and valid.
inline Trace counter_trace() {
  TraceBuilder build;
  const uint32_t lock = build.site("counter.c", 11);
  const uint32_t load = build.site("counter.c", 12);
  const uint32_t store = build.site("counter.c", 13);
  build.trace().globals.push_back({"counter.c:counter", 0x4041a0, 4});
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START, 0, 0);
  uint64_t counter = 0;
  for (const uint32_t thread : {0u, child}) {
    build.add(thread, HEDDLE_MUTEX_LOCK, 0x404200, 1).site = lock;
    build.add(thread, HEDDLE_LOAD, 0x4041a0, counter).site = load;
    build.add(thread, HEDDLE_STORE, 0x4041a0, ++counter).site = store;
    build.add(thread, HEDDLE_MUTEX_UNLOCK, 0x404200, 0);
  }
  build.add(child, HEDDLE_THREAD_END, 0, 0);
  build.add(0, HEDDLE_THREAD_JOIN, 0, child);
  build.add(0, HEDDLE_EXIT, 0, 0);
  return build.trace();
}

// With this rapidcheck prints a counterexample.
inline void showValue(const Trace& trace, std::ostream& out) { out << write_text(trace); }

// Any trace that the format can hold, whether or not a program could do it.
inline rc::Gen<Trace> arbitrary_trace(Mode mode) {
  return rc::gen::exec([mode] {
    Trace trace;
    trace.header = {
        *rc::gen::arbitrary<std::string>(), *rc::gen::arbitrary<std::string>(), mode,
        *rc::gen::arbitrary<std::string>(), *rc::gen::arbitrary<std::string>(), *rc::gen::arbitrary<uint64_t>(),
        *rc::gen::arbitrary<uint32_t>()};
    const auto thread_count = *rc::gen::inRange<uint32_t>(1, 6);
    for (uint32_t i = 0; i < thread_count; ++i) {
      trace.threads.push_back(i == 0 ? Thread{} : Thread{*rc::gen::inRange<uint32_t>(0, i), i * 3});
    }
    const auto site_count = *rc::gen::inRange<uint32_t>(1, 9);
    for (uint32_t i = 0; i < site_count; ++i) {
      trace.sites.push_back({*rc::gen::arbitrary<std::string>(), *rc::gen::arbitrary<uint32_t>(),
                             *rc::gen::arbitrary<uint32_t>(), *rc::gen::arbitrary<std::string>(),
                             *rc::gen::arbitrary<std::string>()});
    }
    trace.globals.push_back({*rc::gen::arbitrary<std::string>(), *rc::gen::arbitrary<uint64_t>(), 4});
    const auto event_count = *rc::gen::inRange<size_t>(0, 120);
    // Small and large numbers, and a few that come again and again.
    const auto number = rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 4), rc::gen::arbitrary<uint64_t>(),
                                       rc::gen::element<uint64_t>(0x4041a0, 0x4041a4, UINT64_MAX, 1ull << 63));
    uint64_t sequence = 0;
    for (size_t i = 0; i < event_count; ++i) {
      Event event{};
      event.record.kind = static_cast<uint8_t>(all_kinds()[*rc::gen::inRange<size_t>(0, all_kinds().size())].kind);
      event.record.size = *rc::gen::element<uint8_t>(0, 1, 2, 4, 8, 16, 255);
      event.record.order = *rc::gen::inRange<uint8_t>(0, 7);
      event.record.flags = *rc::gen::element<uint8_t>(0, 0, 0, 1, 2, 0x40, 0x80, 0xff);
      event.record.thread = *rc::gen::inRange<uint32_t>(0, thread_count);
      event.record.index = *rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, 9), rc::gen::arbitrary<uint32_t>());
      event.record.site = *rc::gen::inRange<uint32_t>(0, site_count);
      event.record.address = *number;
      event.record.value = *number;
      event.record.value2 = *number;
      if (mode == Mode::kFree) {
        event.sequence = *number;
      } else {
        event.sequence = sequence;
        sequence += *rc::gen::element<uint64_t>(1, 1, 1, 2, 1000);
      }
      trace.events.push_back(event);
    }
    if (mode == Mode::kFree) {
      std::sort(trace.events.begin(), trace.events.end(),
                [](const Event& a, const Event& b) { return a.record.thread < b.record.thread; });
    }
    trace.complete = *rc::gen::arbitrary<bool>();
    if (trace.complete) {
      trace.ending = {static_cast<HeddleOutcome>(*rc::gen::inRange<int>(0, 10)), *rc::gen::arbitrary<uint64_t>(),
                      *rc::gen::arbitrary<std::string>()};
    }
    return trace;
  });
}

}  // namespace heddle::trace
