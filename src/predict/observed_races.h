// SPDX-License-Identifier: Apache-2.0
//
// The races of a trace as it is: conflicting accesses that are not ordered by
// happens-before in the order that was seen. For comparison with what other
// orders show. A race that is there only because of what another race let a
// thread read is listed, but proves nothing.
#pragma once

#include <functional>
#include <set>

#include "predict/race_search.h"
#include "trace/trace.h"

namespace heddle::predict {

// `take` gets each pair of places once, as PredictedRace whose history is the
// whole trace, and whether it follows from another race.
void find_observed_races(const trace::Trace& trace, const std::function<void(const PredictedRace&, bool follows)>& take,
                         std::set<property::Reason>& reasons);

}  // namespace heddle::predict
