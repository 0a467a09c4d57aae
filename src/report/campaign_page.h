// SPDX-License-Identifier: Apache-2.0
//
// A campaign of faults as data for the page that shows it: who passed errors to
// whom and through what, how faults in each function ended, and the experiments.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "propagate/experiment.h"

namespace heddle::report {

// {"threads": [{"name", "faults", "reached"}],
//  "crossings": [{"from", "to", "count", "through": [[object, count]]}],       most frequent first; from "": not known
//  "functions": [{"name", "injected", "outcomes": {"benign", ...}}],           most faults first
//  "experiments": [[name, thread, function, place, instruction, detail, outcome, injected, deviated, instructions,
//  reason]], "ways": campaign_ways.h}
nlohmann::ordered_json campaign_page(std::span<const propagate::ExperimentResult> results);

}  // namespace heddle::report
