// SPDX-License-Identifier: Apache-2.0
//
// Who can come between two accesses of a thread, by visiting every run that agrees
// with a given one: each operation that has happened learned what it learned there.
// The two are accesses of the thread to some byte with none of its own to that byte
// between them; the third is another thread's, to that byte. The last of the three
// is the end of the run and may learn anything; so may the one in between if
// nothing but the last follows it.
#pragma once

#include <array>
#include <set>

#include "oracle/kept_races.h"

namespace heddle::oracle {

using Triple = std::array<int, 3>;  // numbers of operations: first, middle, last

struct Interferences {
  std::set<Triple> harmful;   // in no order that keeps the two together the same would come out
  bool within_limits = true;  // false: the rest means nothing
};

Interferences find_kept_interferences(const Program& program, const RandomRun& run, const Limits& limits = {});

}  // namespace heddle::oracle
