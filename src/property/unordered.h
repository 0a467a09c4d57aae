// SPDX-License-Identifier: Apache-2.0
//
// Has a cut an order in which neither of two operations happens before the
// other? Ask for any order. If one happens before the other in it, there is a
// path of synchronisation between them, and in an order in which they are not
// ordered at least one step of that path is missing: the lock was taken the
// other way round, the post came after the wait, the read took its value from
// elsewhere. That is a clause; ask again with it. What cannot be otherwise
// (creation, join, barriers) the problem's own edges exclude.
#pragma once

#include <vector>

#include "causal/cut.h"
#include "property/cut_problem.h"
#include "property/deadlocks.h"
#include "property/plan.h"

namespace heddle::property {

struct UnorderedSearch {
  bool is_found = false;
  bool is_complete = true;  // false: gave up
  std::vector<PlannedStep> plan;
};

// `one` and `other` are operations of different threads in the cut. `problem`
// is of `dependences` and is built anew.
UnorderedSearch find_unordered_order(const causal::Dependences& dependences, CutProblem& problem, const causal::Cut& cut,
                                     causal::EventId one, causal::EventId other, causal::MemoryModel model,
                                     const AskSolver& ask);

}  // namespace heddle::property
