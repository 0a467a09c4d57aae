// SPDX-License-Identifier: Apache-2.0
//
// Which threads one run of a Program implies may wait for each other in a circle, by
// visiting every state of every run that agrees with it (kept_races.h): each thread
// of the circle is next at an operation of the given run that cannot happen, since
// the following one holds its lock or is the one that it joins.
#pragma once

#include <set>
#include <vector>

#include "oracle/kept_races.h"

namespace heddle::oracle {

struct Cycles {
  std::set<std::vector<int>> found;  // numbers of operations, ascending
  bool within_limits = true;
};

Cycles find_kept_cycles(const Program& program, const RandomRun& run, const Limits& limits = {});

}  // namespace heddle::oracle
