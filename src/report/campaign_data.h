// SPDX-License-Identifier: Apache-2.0
//
// A campaign of faults for programs: its statistics as JSON (the list `faults` in
// the `stats` of result.json) and as CSV, its experiments as CSV.
//
// Shares that cannot be given (nothing injected, no such outcome) are null in JSON
// and empty in CSV. Times aside, equal campaigns give equal bytes.
#pragma once

#include <span>
#include <string>

#include "propagate/campaign/statistics.h"

namespace heddle::report {

// A JSON array, one object per fault type:
//   {"fault", "runs", "injected", "deviated", "crash", "sdc", "hang", "detected", "benign", "only_outcome",
//   "false_alarms",
//    "coverage", "coverage_low", "coverage_high", "mpfnr": {"crash", ...},
//    "deviated_by_outcome": {"crash", ...}, "median_instructions_until_deviation", "median_seconds"}
std::string campaign_json(const propagate::CampaignStatistics& statistics);

// One line per fault type, and "all".
std::string campaign_csv(const propagate::CampaignStatistics& statistics);

// One line per experiment.
std::string experiments_csv(std::span<const propagate::ExperimentResult> results);

}  // namespace heddle::report
