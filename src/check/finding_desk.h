// SPDX-License-Identifier: Apache-2.0
//
// Where findings come in, in the order in which they count: each is made as
// short as it can be, run again in a process of its own, and kept if it is new.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/findings.h"
#include "check/options.h"
#include "check/report.h"
#include "check/shorten_finding.h"
#include "execute/executor.h"

namespace heddle::check {

// Findings that need not be found again, by identity; replaced, never changed.
using KnownFindings = std::shared_ptr<const std::set<std::string>>;

class FindingDesk {
 public:
  // The references must outlive it.
  FindingDesk(const execute::Subject& subject, const execute::ExecutorOptions& execution, const Options& options);

  // Adds the finding to `findings`, unless it is known. True: it was confirmed, and nobody has silenced it.
  base::Result<bool> add(const Finding& finding, std::vector<Finding>& findings);
  // Those of a check that is resumed.
  base::Result<void> take_over(std::vector<Finding>& findings);
  // By any thread.
  KnownFindings known() const;

  uint64_t runs() const { return confirmer_.runs() + shortener_.runs(); }
  // Its processes have ended, so their time is known.
  void end() { confirmer_.end(); }

 private:
  base::Result<Finding> settle(const Finding& finding);
  base::Result<Finding> shorten(const Finding& finding);
  void name(Finding& finding) const;

  const execute::Subject& subject_;
  const execute::ExecutorOptions& execution_;
  const Options& options_;
  Confirmer confirmer_;
  FindingShortener shortener_;
  mutable std::mutex known_lock_;
  KnownFindings known_ = std::make_shared<const std::set<std::string>>();
};

}  // namespace heddle::check
