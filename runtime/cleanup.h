// SPDX-License-Identifier: Apache-2.0
//
// pthread_cleanup_push in C: the macro saves a jump buffer; leaving the thread
// jumps there, runs the handler, and comes back for the next one.
#pragma once

#include "state.h"

namespace heddle::rt {

// Jumps into the innermost registered cleanup buffer. Does not return.
[[noreturn]] void run_cleanup_buffer(Thread& self);

}  // namespace heddle::rt
