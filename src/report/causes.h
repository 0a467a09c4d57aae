// SPDX-License-Identifier: Apache-2.0
//
// Where the steps of a run have their values and turns from: which write a read
// reads, which unlock lets a lock happen, which signal wakes a waiter. These are
// the arrows of a picture of the run.
//
//   T0  counter = 1 ──reads──▶ T1 reads counter: 1
//   T0  unlocks m   ──lock───▶ T1 locks m
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "report/narration.h"
#include "trace/trace.h"

namespace heddle::report {

enum class CauseKind : uint8_t {
  kNone,    // it reads what was there before the run, or needs nobody
  kReads,   // the write (or flush) whose value it reads
  kFlush,   // the store that now reaches memory
  kLock,    // the unlock before
  kSignal,  // signal, post, notification, barrier, end of an initialisation
  kThread,  // creation of the thread, end of the joined one
  kHeld,    // who waits for ever: the lock that another thread has and keeps
};

struct Cause {
  CauseKind kind = CauseKind::kNone;
  size_t step = 0;  // an earlier one
};

// One for each step. The trace must be controlled; steps must be those of narrate().
std::vector<Cause> causes_of(const trace::Trace& trace, std::span<const NarratedStep> steps);

}  // namespace heddle::report
