// SPDX-License-Identifier: Apache-2.0
//
// Strategies choose among what can happen next once the schedule's steps are
// used up.
//
//   default  the current thread goes on until it blocks, waits purely or ends;
//            then the lowest name that can run
//   random   uniformly among all threads that can run (time-outs and spurious
//            wake-ups included where the request allows them) and all store
//            buffers that hold something
//   pct      the thread of highest priority; priorities are random and drop at a
//            few random points (probabilistic concurrency testing); a store
//            buffer has a priority of its own
//
// Where nothing else is said, a store leaves its buffer only when its thread's
// next operation needs it, or when nobody can run otherwise.
#pragma once

#include "state.h"

namespace heddle::rt {

struct Choice {
  Thread* thread;  // null: nothing can happen
  Turn turn;
  uint32_t store = 0;  // kFlush: which one, counted from the oldest
};

void strategy_begin(const HeddleRequest& request);
void strategy_thread_created(Thread& thread);
Choice choose_by_strategy();

// Can the announced operation happen, once the thread's stores have left its
// buffer as far as need be?
bool could_go_on(const Thread& thread);
// Can it happen now?
bool is_ready(const Thread& thread);
// Can its wait run out, or end without reason, now? Not if it can end anyway, and
// not once the thread was woken: it would lose the signal that it took.
bool can_time_out(const Thread& thread);
bool can_wake_spuriously(const Thread& thread);
// Would its operation end the run for all, so that others are to go first?
bool waits_for_exit(const Thread& thread);
// The operation, or the oldest store if that must go first.
Choice go_on_with(Thread& thread);

const char* describe_wait(const Thread& thread);

}  // namespace heddle::rt
