// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait. A thread that looked at a word again and again when it was
// recorded leaves its loop earlier in a controlled run, since the strategies let
// others go first (runtime/spin.h). The recorded path says how many more rounds like
// the last one there were; their operations are known from the last one.
//
//   recorded    110 110 110 110 110 110 100
//   run         110 110 0                       three more rounds of one read each
#pragma once

#include "reproduce/known_paths.h"
#include "schedule/schedule.h"

namespace heddle::reproduce {

// Appends to a schedule that brings the thread past the branch at which it left its way: the operations of the rounds
// that follow. They are a guess; a run that cannot follow them ends there, and shows what it did until then.
void append_repeated_rounds(schedule::Schedule& schedule, const KnownPaths& known, uint32_t thread,
                            const SwitchNumbers& switches);

}  // namespace heddle::reproduce
