// SPDX-License-Identifier: Apache-2.0
//
// Which operations came first by the clock. A thread looked at it now and then (record::Stamp); of two
// threads' stamps that are further apart than the margin of the recording, what the one did
// before the earlier stamp came before what the other did after the later one. All else stays open.
//
// In between, a guess: a thread works at its usual pace from a stamp on, and waits for the next one if it is early.
#pragma once

#include "record/recording.h"
#include "reproduce/walked_run.h"

namespace heddle::reproduce {

// Fills FailingRun::timed and FailingRun::about. Nothing happens if the recording has no stamps.
void add_times(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording);

}  // namespace heddle::reproduce
