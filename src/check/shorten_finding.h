// SPDX-License-Identifier: Apache-2.0
//
// Gives a finding a schedule with fewer context switches (schedule/shorten.h):
// candidates are run by the executor of the check, and one that comes to the same
// kind of end at the same places counts.
#pragma once

#include "base/result.h"
#include "check/options.h"
#include "check/report.h"
#include "execute/executor.h"

namespace heddle::check {

class FindingShortener {
 public:
  explicit FindingShortener(const Options& options) : options_(options) {}

  // The same finding, seen in a run that is easier to follow; as it was if there
  // is none. Not confirmed yet.
  base::Result<Finding> shorten(const Finding& finding, execute::Executor& executor);

  uint64_t runs() const { return runs_; }

 private:
  const Options& options_;
  uint64_t runs_ = 0;
};

}  // namespace heddle::check
