// SPDX-License-Identifier: Apache-2.0
//
// Threads that are to come to certain places together: a request names, for some
// threads, an operation. A thread that is about to perform it, or a later one, is
// held: it lets all others go first that have not come so far. That is a
// preference only; when all that can go on are held, they take turns.
#pragma once

#include "state.h"

namespace heddle::rt {

void holds_begin(const HeddleRequest& request);

// The operation at which a thread that was just created is to be held.
uint32_t hold_of(const Thread& thread);

inline bool is_held(const Thread& thread) { return thread.index >= thread.held_from; }

// Who goes on when nobody wants to: one that only asked held ones to go first, or the next held one after the one that
// runs; null: there is none.
Thread* next_held();

}  // namespace heddle::rt
