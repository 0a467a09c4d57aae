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
#include "property/happens_before.h"
#include "property/plan.h"

namespace heddle::property {

// What a plan performs, as it would happen. Writes of library functions hang on
// the call before them.
std::vector<causal::Happening> happenings_of(const std::vector<PlannedStep>& plan, const causal::Cut& cut,
                                             const causal::Execution& execution);

struct UnorderedSearch {
  bool is_found = false;
  bool is_complete = true;  // false: gave up
  std::vector<PlannedStep> plan;
};

// `one` and `other` are operations of different threads in the cut, and `other`
// is the last one of its thread there. `problem` is of `dependences` and is built
// anew. `is_free`: `other` comes last, and may read anything.
UnorderedSearch find_unordered_order(const causal::Dependences& dependences, CutProblem& problem,
                                     const causal::Cut& cut, causal::EventId one, causal::EventId other, bool is_free,
                                     causal::MemoryModel model, RacyReads racy_reads, const AskSolver& ask);

}  // namespace heddle::property
