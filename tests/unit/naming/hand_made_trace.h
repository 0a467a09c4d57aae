// SPDX-License-Identifier: Apache-2.0
//
// Traces written down event by event, for tests of names.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "trace/kinds.h"
#include "trace/trace.h"

namespace heddle::naming {

class HandMadeTrace {
 public:
  explicit HandMadeTrace(trace::Mode mode = trace::Mode::kControlled) {
    trace_.header.mode = mode;
    trace_.threads.push_back({});
    trace_.sites.push_back({});
    trace_.complete = true;
  }

  uint32_t thread(uint32_t parent) {
    trace_.threads.push_back({parent, children_[parent]++});
    return static_cast<uint32_t>(trace_.threads.size() - 1);
  }

  void global(const std::string& name, uint64_t address, uint64_t size) {
    trace_.globals.push_back({name, address, size});
  }

  // Returns its place. Accesses have eight bytes; `sequence` is for free traces.
  uint32_t add(uint32_t thread, HeddleKind kind, uint64_t address = 0, uint64_t value = 0, uint64_t sequence = 0) {
    trace::Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.size = trace::find_kind(event.record.kind)->has_size ? 8 : 0;
    event.record.thread = thread;
    event.record.address = address;
    event.record.value = value;
    event.record.index = trace::is_visible(event.record) ? next_[thread]++ : next_[thread];
    event.sequence = trace_.header.mode == trace::Mode::kControlled ? trace_.events.size() : sequence;
    trace_.events.push_back(event);
    return static_cast<uint32_t>(trace_.events.size() - 1);
  }

  const trace::Event& event(uint32_t place) const { return trace_.events[place]; }
  trace::Trace& trace() { return trace_; }

 private:
  trace::Trace trace_;
  std::map<uint32_t, uint32_t> next_;
  std::map<uint32_t, uint32_t> children_;
};

}  // namespace heddle::naming
