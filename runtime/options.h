// SPDX-License-Identifier: Apache-2.0
//
// For explorations that enumerate schedules, a run tells what else could have
// happened: before each operation or flush after the schedule's last step, one
// OPTION frame for each thing that could happen there.
// And such an exploration may know what it need not see again: operations that
// the request names are put off until something touches the same place. That is
// a preference only; when nothing else can happen, they do.
#pragma once

#include "state.h"

namespace heddle::rt {

void options_begin(const HeddleRequest& request);

// What could happen now.
void list_options();
// Whom a signal could wake, and whom it does.
void list_waiters(const SyncObject* object, const Thread* chosen);

// Does the thread wait for a signal or notification of this object?
bool waits_at(const Thread& thread, const SyncObject* object);

// Is what the thread would do next put off: its operation, or the oldest store
// where that must go first?
bool is_avoided(const Thread& thread);
bool is_flush_avoided(const Thread& thread, uint32_t place);

// `self` did something: what touches the same is put off no longer.
void stop_avoiding(const Thread& self, uint8_t kind, uint64_t address, uint64_t size);

}  // namespace heddle::rt
