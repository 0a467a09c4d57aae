// SPDX-License-Identifier: Apache-2.0
//
// Most reads of a cut need not be asked for: nothing in the cut depends on them
// (first_uses.h), so it is the same whatever they return. A question without them
// is smaller. If its answer is no, the whole question's is no. If it is an order,
// the reads left out often find their values in it anyway; only if they do not,
// the whole question is asked.
#pragma once

#include "causal/cut.h"
#include "causal/first_uses.h"
#include "check/query_solver.h"
#include "property/cut_problem.h"

namespace heddle::check {

// `problem` was built for the cut with `changed` as its changed operation. With
// `keep_own`, reads of the changed operation's thread are always asked for.
solve::Answer ask_for_what_matters(property::CutProblem& problem, const causal::FirstUses& uses, const causal::Cut& cut,
                                   causal::EventId changed, bool keep_own, QuerySolver& solver);

}  // namespace heddle::check
