// SPDX-License-Identifier: Apache-2.0
//
// Where in a run is the part of a path that a recording kept? Its beginning was
// dropped (heddle record --keep-last), but it is known how many bits that were.
//
//   recorded    ......... 1 1 0 1 0 0 1      nine were dropped
//   run         0110100110 1 1 0 1 0 1        in this run the thread took one more before
//
// If the number of branches in the beginning does not depend on the schedule, the rest is
// where the number says. Otherwise it is where it agrees furthest with the run; of
// several such places, the one that is nearest to where the number says.
#pragma once

#include <cstdint>
#include <vector>

#include "reproduce/path_comparison.h"

namespace heddle::reproduce {

struct PathWindow {
  size_t records =
      0;              // of the run, before the first branch that is compared; all of them: the run does not come so far
  uint64_t bits = 0;  // that they took
  unsigned unseen = 0;  // bits at the start of the path that belong to a switch of which the rest was dropped
};

PathWindow find_window(const std::vector<HeddleRecord>& records, const record::Thread& recorded,
                       const SwitchNumbers& switches);

// How many bits a branch takes in a path.
unsigned bits_of_branch(const HeddleRecord& branch, const SwitchNumbers& switches);

}  // namespace heddle::reproduce
