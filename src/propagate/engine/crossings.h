// SPDX-License-Identifier: Apache-2.0
//
// How an error came to a thread: through memory that another one corrupted, with the
// result of a thread that was joined, with what it was created with, or because
// another one did not do what this one waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "propagate/engine/fault_free_run.h"
#include "propagate/engine/sync_calls.h"

namespace heddle::propagate {

struct ThreadDeviation {
  uint32_t lane = 0;
  HeddleDeviation kind = HEDDLE_DEVIATION_NONE;
  uint64_t order = 0;
  uint64_t word = 0;  // HEDDLE_NO_WORD: not known
};

struct Crossing {
  uint32_t to = 0;
  uint32_t from = HEDDLE_NO_LANE;    // HEDDLE_NO_LANE: not known
  std::string through;               // an object, "thread creation", "result of pthread_join", "unknown"
  std::string by;                    // the call that the thread is in; else empty
  const HeddleMark* mark = nullptr;  // memory that `from` corrupted
};

// Of a thread in which the fault was not; `all` are the deviations of the last run.
Crossing find_crossing(const FaultFreeRun& run, SyncCalls& calls, const ThreadDeviation& deviation,
                       const std::vector<ThreadDeviation>& all);

// What the last run noted of a lane.
inline const HeddleLane& told_of(const FaultFreeRun& run, uint32_t lane) { return run.server().channel().run[lane]; }
// The instruction at which a thread first deviated, if it was one.
const build::ComparedSlot* slot_of(const FaultFreeRun& run, uint32_t lane);

}  // namespace heddle::propagate
