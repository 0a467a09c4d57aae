// SPDX-License-Identifier: Apache-2.0
//
// A part of a trace as an execution of its own, so that questions about it do
// not grow with the trace. What came before is kept as it was:
//
//   - memory holds at first what it held when the window began;
//   - what a thread holds or waits for at that point it acquires or begins to
//     wait for in operations that are added before its own, and a barrier that
//     is added too lets nobody do anything else before all have done so;
//   - what was served before the window (a join of a thread that had ended, a
//     start, a one-time initialisation that was done) needs nothing here.
//
// Orders of the window are orders of the trace, after the events before it. A
// thread that waits for a word (futex) when the window begins has no operations
// in it from its waking on: fewer orders, never wrong ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "causal/execution.h"
#include "predict/carried_state.h"
#include "property/plan.h"
#include "trace/trace.h"

namespace heddle::predict {

// Of an event of the trace: its thread's number there, and its index. Threads of
// a window have the same numbers; `threads` tables must give them.
using causal::EventId;

class Window {
 public:
  // Events [begin, end) of the trace; `state` is that before `begin`.
  Window(const trace::Trace& trace, size_t begin, size_t end, const CarriedState& state, causal::ThreadTable& threads);

  const causal::Execution& execution() const { return *execution_; }
  size_t begin() const { return begin_; }

  // From the trace's numbers of events to those of the window, and back.
  EventId inside(EventId event) const {
    return {event.thread, event.index - first_[event.thread] + added_[event.thread]};
  }
  EventId outside(EventId event) const {
    return {event.thread, event.index + first_[event.thread] - added_[event.thread]};
  }
  // False: what the event stands for is left out of the window.
  bool has(EventId event) const {
    return event.index >= first_[event.thread] && inside(event).index < execution_->length(event.thread);
  }
  bool is_added(EventId inside) const { return inside.index < added_[inside.thread]; }

  // The plan, of operations of the window, for those of the trace.
  std::vector<property::PlannedStep> translate(std::span<const property::PlannedStep> plan) const;

 private:
  const trace::Trace& trace_;
  const size_t begin_;
  std::vector<uint32_t> first_;              // by thread: index of its first operation here in the trace
  std::vector<uint32_t> added_;              // by thread
  std::vector<std::vector<size_t>> places_;  // by thread and operation, without those added: place in the trace
  std::unique_ptr<causal::Execution> execution_;
};

// Where a window of about `size` events that begins here may end: nothing that
// happens in one step is torn apart.
size_t end_of_window(const trace::Trace& trace, size_t begin, size_t size);

}  // namespace heddle::predict
