// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "causal/histories.h"
#include "check/budget.h"
#include "check/options.h"
#include "check/query_solver.h"
#include "check/work.h"

namespace heddle::check {

// The explorer for the options' search and reduction. The references must
// outlive it; `solver` is for explorers that think where work is committed.
std::unique_ptr<WorkSource> make_source(const Options& options, causal::Histories& histories, QuerySolver& solver,
                                        Budget& budget);

}  // namespace heddle::check
