// SPDX-License-Identifier: Apache-2.0
//
// Carriers make the chosen thread run and all others not.
//
// Fibers: one operating-system thread jumps between stacks, and takes the FS
// base (thread-local storage) of the fiber's slot along. Threads: every thread
// of the program has an operating-system thread of its own, and a baton says
// who may run. Both run the program's code on the stack of its slot, so what a
// program sees, and the trace, are the same.
#pragma once

#include "state.h"

namespace heddle::rt {

// Called once, before the first run. False: this machine has no user-mode FS
// base, so only the thread carrier works.
bool choose_carrier(HeddleCarrier carrier);

// Prepares a created thread so that it can be switched to.
void carrier_prepare(Thread& thread);

// The running thread lets `next` run and returns when it is chosen again.
void carrier_switch(Thread& self, Thread& next);

// The running thread has ended; `next` goes on. Does not return.
[[noreturn]] void carrier_leave(Thread& self, Thread& next);

// Server side: runs `first` and returns when the run is over.
void carrier_run(Thread& first);

// The running thread ends the run: the server goes on. Does not return.
[[noreturn]] void carrier_finish();

}  // namespace heddle::rt
