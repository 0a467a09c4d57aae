// SPDX-License-Identifier: Apache-2.0
//
// The way of an error in one run: the fault, each thread's first deviation and the
// memory that each thread corrupted, with a time for each.
//
// Threads run freely, so which of two things on different threads came first is an accident.
// Times say only what is none: the fault has time 0, what a thread does next has a
// later one, and a thread that has the error from another deviates later than that one
// corrupted what it passed on. The same experiment has the same times in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "propagate/engine/crossings.h"

namespace heddle::propagate {

struct PropagationEvent {
  enum class Kind : uint8_t { kFault, kDeviates, kCorrupts };
  Kind kind = Kind::kFault;
  uint64_t time = 0;
  uint32_t lane = 0;
  uint64_t word = 0;                 // HEDDLE_NO_WORD: not known
  const HeddleMark* mark = nullptr;  // kCorrupts
  size_t deviation = 0;              // kDeviates: which
};

// By time, then thread, then word. `crossings` has one for each deviation, in the same order; that
// of a thread with the fault in it is not looked at.
std::vector<PropagationEvent> find_propagation(const FaultFreeRun& run, const std::vector<ThreadDeviation>& deviations,
                                               const std::vector<Crossing>& crossings);

}  // namespace heddle::propagate
