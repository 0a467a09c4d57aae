// SPDX-License-Identifier: Apache-2.0
//
// The way of the error in single experiments, as data for the page that draws it:
// thread, object and time of the fault, of each deviation and of what was corrupted.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "propagate/experiment.h"

namespace heddle::report {

// {"names": ["T0", "value", ...],
//  "of": {"bitflip:3": {"left_out": 0, "events": [[time, thread, kind, index, object, from, through], ...]}}}
// All but time and index are numbers in names; -1: none. A page has room for so many events: errors that reached
// several threads come first, and what has no room is not there.
nlohmann::ordered_json campaign_ways(std::span<const propagate::ExperimentResult> results);

}  // namespace heddle::report
