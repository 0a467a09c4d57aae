// SPDX-License-Identifier: Apache-2.0
//
// Which schedule a user means:
//
//   .heddle/runs/001-check/finding-1.schedule   a file, of a run or not
//   .heddle/runs/001-check                      the first finding of that run
//   001-check:2, 001-check, 1:2                 by the name or number of a run
//   2                                           the second finding of the latest run that has findings
//   (nothing)                                   its first
#pragma once

#include <string>

#include "base/result.h"

namespace heddle::report {

struct FoundFinding {
  std::string schedule;  // path
  std::string result;    // path of the run's result.json; empty: the schedule is of no run
};

base::Result<FoundFinding> find_finding(const std::string& text);

}  // namespace heddle::report
