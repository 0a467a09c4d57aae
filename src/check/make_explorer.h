// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "causal/histories.h"
#include "check/budget.h"
#include "check/options.h"
#include "check/query_solver.h"
#include "check/work.h"

namespace heddle::check {

// The explorer for the options' search and reduction. The references must
// outlive it; `solver` is for explorers that think where work is committed. `naming`
// gives a thread's name and the text for a place of the source (a site; 0: none).
using Naming = std::function<std::pair<std::string, std::string>(causal::ThreadId thread, uint32_t site)>;
std::unique_ptr<WorkSource> make_source(const Options& options, causal::Histories& histories, QuerySolver& solver,
                                        Budget& budget, Naming naming);

}  // namespace heddle::check
