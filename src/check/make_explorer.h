// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "causal/histories.h"
#include "check/budget.h"
#include "check/explorer.h"
#include "check/options.h"
#include "check/query_solver.h"

namespace heddle::check {

// The explorer for the options' search and reduction. The references must
// outlive it.
std::unique_ptr<Explorer> make_explorer(const Options& options, causal::Histories& histories, QuerySolver& solver,
                                        Budget& budget);

}  // namespace heddle::check
