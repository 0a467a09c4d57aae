// SPDX-License-Identifier: Apache-2.0
//
// The schedule that a controlled run followed, from its trace: following it in
// another run of the same program gives the same trace again.
//
// One step per operation that took a turn, in the order of the trace:
//   - operations that timed out or woke spuriously become timeout and spurious
//     steps (of a condition wait: its COND_LEAVE; the COND_RESUME after it is an
//     ordinary operation);
//   - a signal or notification is followed by a wake step per waiter it woke;
//   - a choice (NONDET) becomes a nondet step with its value;
//   - EXTERN_WRITE events are part of the call before them and give no step;
//   - a failure's step names no site: it is that of the operation that failed.
//
// A NOTIFY event says how many it woke, not whom. See from_trace.cpp for how
// the waiters are found.
#pragma once

#include <functional>

#include "schedule/schedule.h"
#include "trace/trace.h"

namespace heddle::schedule {

// Of its first `events` events. The trace must be controlled; it may be incomplete.
Schedule from_trace(const trace::Trace& trace, size_t events = ~size_t{0});

// The same step by step: `take` gets each; what comes back has none.
Schedule visit_steps(const trace::Trace& trace, size_t events, const std::function<void(Step)>& take);

// Names of the trace's threads, by number. A thread that the table does not
// explain gets the name T0.
std::vector<ThreadName> thread_names(const trace::Trace& trace);

}  // namespace heddle::schedule
