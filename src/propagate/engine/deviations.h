// SPDX-License-Identifier: Apache-2.0
//
// What a run did differently, from what the comparison noted while it ran: the first
// deviation of each thread, the memory that got wrong values, and the ways by which
// the error went from one thread to another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "propagate/engine/crossings.h"
#include "propagate/experiment.h"

namespace heddle::propagate {

struct Deviations {
  std::vector<ThreadDeviation> threads;  // in the order in which they began to deviate
};

// Of the last run of the server.
Deviations find_deviations(const FaultFreeRun& run);

// "T0.1 loads 7 instead of 8 at sum.c:17:5 in add".
std::string describe_first(const FaultFreeRun& run);

void fill_in_deviations(const FaultFreeRun& run, SyncCalls& calls, ExperimentResult& result);

}  // namespace heddle::propagate
