// SPDX-License-Identifier: Apache-2.0
//
// `heddle reproduce`: a recording of a failure in, a schedule that leads to the
// same failure out. The schedule was run in a fresh process before it counts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "gaps/gap.h"
#include "property/finding.h"
#include "reproduce/search.h"

namespace heddle::reproduce {

struct Report {
  bool reproduced = false;
  bool interrupted = false;
  std::string program, module_hash;
  std::string failure;               // what was recorded, in words
  property::Finding finding;         // if reproduced
  gaps::Gaps gaps;                   // if not: why
  std::vector<std::string> remarks;  // on the recording, and on constraints that could not be had
  std::string inputs;                // what calls brought into the recorded run (given_inputs.h)
  SearchStatistics statistics;
  uint64_t threads = 0;
  double seconds = 0, cpu_seconds = 0;  // of the CPU: of all processes together
};

// An Error: the recording is not usable, or its program is not there as it was.
base::Result<Report> reproduce(const record::Recording& recording, const SearchOptions& options,
                               const execute::ExecutorOptions& how);

}  // namespace heddle::reproduce
