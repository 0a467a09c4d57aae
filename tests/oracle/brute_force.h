// SPDX-License-Identifier: Apache-2.0
//
// The truth about a Program, by visiting every state that it can reach. Two
// ways to the same state are told apart only by what the threads have learned
// on the way (their histories), because classes of executions are counted by
// those: DESIGN.md's "states".
#pragma once

#include <map>
#include <set>
#include <string>

#include "oracle/machine.h"

namespace heddle::oracle {

using Outcome = std::map<std::string, long long>;  // "t1r0" -> value

struct Limits {
  size_t states = 300'000;
  // Steps that commute with all others are taken first, alone. Off only to test that this loses nothing.
  bool shorten = true;
};

struct Truth {
  std::set<Outcome> outcomes;        // of complete executions
  size_t classes = 0;                // distinct vectors of histories of complete executions
  bool deadlock = false;             // can be reached
  std::set<int> failing_assertions;  // by number; and accesses and releases that fail
  size_t states = 0;                 // visited
  bool within_limits = true;         // false: the rest means nothing
};

Truth brute_force(const Program& program, MemoryModel model, const Limits& limits = {});

}  // namespace heddle::oracle
