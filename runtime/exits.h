// SPDX-License-Identifier: Apache-2.0
//
// The ways a program ends by itself: return from main, exit, quick_exit, _exit,
// and the handlers that run on the way.
#pragma once

#include "state.h"

namespace heddle::rt {

// exit(code) by this thread: handlers, static destructors, stdio, end of the run.
[[noreturn]] void exit_program(Thread& self, int code);

// Forgets the handlers of the last run.
void reset_exit_handlers();

}  // namespace heddle::rt
