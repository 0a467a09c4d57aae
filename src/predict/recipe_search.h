// SPDX-License-Identifier: Apache-2.0
//
// The races that a run implies when reads may find other values, as long as every
// branch goes the same way and every access stays where it is (RECIPE). Looked for
// where the maximal causal model finds none: it is cheaper, and all that it finds is
// found here too. Only races whose two accesses are next at once are looked for.
//
//   T1: y = 3; x = 1; y = 5      T2 saw y = 5, so x = 1 was before; but y = 3 would
//   T2: if (y > 2) r = x         have led there too: a race on x
#pragma once

#include <functional>
#include <set>
#include <utility>

#include "gaps/gap.h"
#include "predict/options.h"
#include "predict/race_search.h"
#include "predict/report.h"
#include "symbolic/walk_trace.h"
#include "trace/trace.h"

namespace heddle::predict {

struct RecipeOptions {
  uint64_t window = 1000;
  bool knows_outside = true;  // no function of unknown effect is called
  // Pairs of places (number_places, the lower first) whose race is known.
  std::set<std::pair<uint32_t, uint32_t>> known = {};
  std::function<bool(size_t events)> stops = {};  // as in Options
};

// `trace` is without local records. `take` gets each race and says whether it stands.
void find_recipe_races(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options,
                       const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, gaps::Gaps& gaps);

}  // namespace heddle::predict
