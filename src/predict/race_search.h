// SPDX-License-Identifier: Apache-2.0
//
// The races that a trace implies under the maximal causal model: in some order of
// its events in which every read before the end keeps its value, two conflicting
// accesses are next at once, or neither happens before the other. A race that is
// there only because of what another race let a thread read is not one of these:
// nothing is known about what follows a race.
//
// Races of the order that was seen are found wherever they are
// (observed_races.h). Others window by window: filters first (candidates.h), the solver for the rest
// (property/races.h). The order that the solver gives is checked on the trace by
// code of its own (witness.h) before anybody hears of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "causal/thread_table.h"
#include "gaps/gap.h"
#include "predict/options.h"
#include "predict/report.h"
#include "predict/witness.h"
#include "property/plan.h"
#include "property/races.h"
#include "trace/trace.h"

namespace heddle::predict {

// One race and the order that shows it, in the trace's numbers of events.
struct PredictedRace {
  causal::EventId first, second;
  uint32_t first_site = 0, second_site = 0;
  bool enabled_at_once = false;
  bool is_hidden = false;             // in the order that was seen, happens-before orders all accesses of these places
  std::vector<OrderedBy> ordered_by;  // then: what orders these two there, if it was looked for
  bool is_on_detour = false;          // one is on the side of a branch that the run did not take
  bool has_other_values = false;      // reads before it find other values than in the trace
  Order order;
};

// The races of the trace. `take` gets each and says whether it stands; one that
// does not is looked for again elsewhere. `solver` must be fresh or the caller's to share.
void find_races(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, gaps::Gaps& gaps);

// By site: a number for each line of the source; sites without a line are all different.
std::vector<uint32_t> number_places(const std::vector<trace::Site>& sites);

}  // namespace heddle::predict
