// SPDX-License-Identifier: Apache-2.0
//
// The races of a trace as it is: conflicting accesses that are not ordered by
// happens-before in the order that was seen, however far apart they are. A race
// that is there only because of what another race let a thread read is listed, but
// proves nothing.
//
// Of each word the last access of each thread, place and kind is kept: if an
// earlier one is not ordered with what comes later, neither is the last one. A word
// with more of them than kMostOfAWord forgets the oldest.
#pragma once

#include <functional>

#include "predict/race_search.h"
#include "trace/trace.h"

namespace heddle::predict {

inline constexpr size_t kMostOfAWord = 64;

struct ObservedRace {
  PredictedRace race;    // its order: the trace up to the second access, as it was
  bool follows = false;  // from another race
};

// Each pair of places once; those of which some pair of accesses follows from no
// other race as such. By places. `left_out`: set if a word has more accesses than are compared; may be null.
std::vector<ObservedRace> find_observed_races(const trace::Trace& trace, bool* left_out = nullptr);

}  // namespace heddle::predict
