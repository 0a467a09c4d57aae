// SPDX-License-Identifier: Apache-2.0
//
// The data races of a Program, by visiting every state together with the
// happens-before clocks of how it was reached. Two accesses race if they are of
// different threads, overlap, at least one writes, at least one is not atomic,
// and in some run, complete or not, neither happens before the other. A
// compare-exchange that fails only reads. A store happens when it is issued.
//
// Much dearer than brute_force: different orders of synchronisation are
// different clocks.
#pragma once

#include <set>
#include <utility>

#include "oracle/brute_force.h"

namespace heddle::oracle {

using Pair = std::pair<int, int>;  // numbers of operations, the lower first

struct Races {
  std::set<Pair> racing;
  std::set<Pair> enabled_at_once;  // some state lets both happen next; a subset of racing
  size_t states = 0;
  bool within_limits = true;  // false: the rest means nothing
};

Races find_races(const Program& program, MemoryModel model, const Limits& limits = {});

}  // namespace heddle::oracle
