// SPDX-License-Identifier: Apache-2.0
//
// A schedule that a solver or chance made switches between threads far more often
// than the bug needs. This looks for one that shows the same and that a person can
// follow: with as few switches as can be had with a given number of runs, and
// among those with few steps.
//
// A block is a stretch of steps of one thread. Delta debugging over blocks:
//   cut     keep only the first blocks; the run goes on by itself (a thread runs
//           until it has to wait), which switches as little as can be;
//   gather  in a window of blocks, put those of the same thread together; large
//           windows first, then smaller ones;
//   move    bring a block next to the one of its thread before or after it;
//   drop    leave out the last block of a thread.
// Each candidate is run. What counts is what the run did, not what the candidate
// said, so a candidate may be impossible: then it is simply no improvement. The
// result is a local minimum, not the least there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "schedule/schedule.h"

namespace heddle::schedule {

// Runs a candidate. If it shows the same as the schedule to be shortened: the
// steps that the run took. Else nothing.
using Trial = std::function<std::optional<Schedule>(const Schedule& candidate)>;

// How often the next step is one of another thread. A wake step belongs to the
// signal before it.
size_t context_switches(const Schedule& schedule);

// At most `most_trials` calls of `trial`. Deterministic if `trial` is. The
// original if nothing better is found.
Schedule shorten(const Schedule& original, const Trial& trial, uint64_t most_trials);

}  // namespace heddle::schedule
