// SPDX-License-Identifier: Apache-2.0
//
// Failures of a single thread that other values would lead to: an assertion whose
// condition, over what the thread has read, can be false; an access whose address
// can be null. As with races, every branch before goes the same way, every other
// access stays where it is, and the order is checked on the trace.
#pragma once

#include <functional>

#include "gaps/gap.h"
#include "predict/options.h"
#include "predict/recipe_search.h"
#include "predict/report.h"

namespace heddle::predict {

struct PredictedFailure {
  enum class Kind { kAssertion, kNull } kind = Kind::kAssertion;
  uint32_t thread = 0, site = 0;
  Order order;  // its last step is the one in which the thread fails
};

// `take` gets each failure, at most once for each site, and says whether it stands.
void find_recipe_failures(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options,
                          bool assertions, bool nulls, const std::function<bool(const PredictedFailure&)>& take,
                          Statistics& statistics, gaps::Gaps& gaps);

}  // namespace heddle::predict
