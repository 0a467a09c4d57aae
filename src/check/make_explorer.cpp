// SPDX-License-Identifier: Apache-2.0
#include "check/make_explorer.h"

#include "check/mcr_explorer.h"

namespace heddle::check {

std::unique_ptr<Explorer> make_explorer(const Options& options, causal::Histories& histories, QuerySolver& solver,
                                        Budget& budget) {
  return std::make_unique<McrExplorer>(options, histories, solver, budget);
}

}  // namespace heddle::check
