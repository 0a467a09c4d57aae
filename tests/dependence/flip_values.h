// SPDX-License-Identifier: Apache-2.0
//
// The judge of the dependence table: runs a program twice, the second time with
// another value at one call of heddle_nondet_int, and looks where the runs first
// differ. An operation there must depend on that call, and if
// the runs go through different sites, the call must steer. It shares no code with
// what it judges; it knows runs only.
#pragma once

#include <string>

#include "build/target.h"

namespace heddle::tests {

struct FlipSummary {
  int flips = 0;        // pairs of runs
  int differences = 0;  // that differ
  int missed = 0;       // differences that the table does not admit
  int answers = 0;      // pairs of a call and a later operation in a run
  int independent = 0;  // that the table says are independent
  int choices = 0;      // that runs make
  int steering = 0;     // of which the table says that they steer
  std::string text;     // of what was missed
  void add(const FlipSummary& other);
};

// Runs with these arguments, under `seeds` seeds; in each, every choice is changed once.
FlipSummary flip_values(const build::Target& target, const std::string& argument, int seeds);

}  // namespace heddle::tests
