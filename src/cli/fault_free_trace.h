// SPDX-License-Identifier: Apache-2.0
//
// Before faults are injected: may runs of this program be compared at all? Asked of
// the trace of one free run.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/comparison_options.h"
#include "gaps/gap.h"

namespace heddle::cli {

struct Comparable {
  std::optional<HeddleGap> gap;  // none: yes; else why not, and in words
  std::string text;
  double seconds = 0;  // of the check itself
};

// The trace goes to `directory`.
base::Result<Comparable> check_comparable(const ComparisonOptions& options, const std::vector<std::string>& arguments,
                                          const std::string& directory, const std::atomic<bool>& interrupted);

// Where runs may differ whatever the schedule; for when they did.
std::vector<std::string> nondeterminism_notes(const ComparisonOptions& options);

}  // namespace heddle::cli
