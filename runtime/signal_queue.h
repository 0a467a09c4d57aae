// SPDX-License-Identifier: Apache-2.0
//
// Signals that wait to be taken: sent by one thread of the program to another,
// or to the process, while blocked, and taken by sigwait.
#pragma once

#include "state.h"

namespace heddle::rt {

// Queues the signal for `target` if that thread blocks it; false if not.
bool send_if_blocked(Thread& target, int number);

}  // namespace heddle::rt
