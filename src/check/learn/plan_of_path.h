// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "check/learn/machine.h"
#include "check/learn/race_watch.h"
#include "property/plan.h"
#include "property/races.h"

namespace heddle::check::learn {

// The steps of a schedule that lead the program along a path of the product.
// The last step of the path may be missing (`last_is_missing`); if not even the
// operation is known, or whether it is possible, the plan ends before it.
std::vector<property::PlannedStep> plan_of_path(const Model& model, const Machine& machine,
                                                const std::vector<Step>& path, bool last_is_missing);

// The same for a race that was found on the product, with the operations that race.
property::Race plan_of_race(const Model& model, const Machine& machine, const FoundRace& found);

}  // namespace heddle::check::learn
