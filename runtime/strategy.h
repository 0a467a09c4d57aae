// SPDX-License-Identifier: Apache-2.0
//
// Strategies choose among what can happen next once the schedule's steps are
// used up.
//
//   default  the current thread goes on until it blocks, waits purely or ends;
//            then the lowest name that can run
//   random   uniformly among all threads that can run (time-outs and spurious
//            wake-ups included where the request allows them)
//   pct      the thread of highest priority; priorities are random and drop at a
//            few random points (probabilistic concurrency testing)
#pragma once

#include "state.h"

namespace heddle::rt {

struct Choice {
  Thread* thread;  // null: nothing can happen
  Turn turn;
};

void strategy_begin(const HeddleRequest& request);
void strategy_thread_created(Thread& thread);
Choice choose_by_strategy();

bool is_ready(const Thread& thread);
const char* describe_wait(const Thread& thread);

}  // namespace heddle::rt
