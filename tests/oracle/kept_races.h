// SPDX-License-Identifier: Apache-2.0
//
// What one run of a Program implies, by visiting every run that agrees with it:
// one in which each operation that has happened learned what it learned in the
// given run. Two accesses race if in such a run, complete or not, neither happens
// before the other, where the second of the two is the end of it and may learn
// anything; racy reads order what follows them (ordering.h).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "oracle/races.h"

namespace heddle::oracle {

// A step of a run, and the states around it.
struct RunStep {
  Transition transition;
  State before, after;
};
using RandomRun = std::vector<RunStep>;

// Under SC; ends when nothing more can happen or an assertion fails.
RandomRun random_run(const Program& program, uint64_t seed);

Races find_kept_races(const Program& program, const RandomRun& run, const Limits& limits = {});

}  // namespace heddle::oracle
