// SPDX-License-Identifier: Apache-2.0
//
// Findings, statistics and gaps of a running check. The check publishes them as it
// goes; the watchdog (base/watchdog.h) answers with them if the check does not end.
#pragma once

#include <mutex>
#include <optional>

#include "check/options.h"
#include "check/report.h"

namespace heddle::check {

class Bulletin {
 public:
  // Statistics, gaps and outcomes; after each execution.
  void publish_progress(const Report& report);
  // A finding that is about to be run again; none: it is settled.
  void publish_pending(std::optional<Finding> finding);
  void publish_findings(const std::vector<Finding>& findings);

  // As if the check had ended now, for this reason.
  Report settled(const Options& options, HeddleGap why) const;

 private:
  mutable std::mutex lock_;
  Report report_;
  std::optional<Finding> pending_;
};

// The verdict follows from findings and gaps.
void settle_verdict(Report& report, const Options& options);

}  // namespace heddle::check
