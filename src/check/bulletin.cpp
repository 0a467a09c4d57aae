// SPDX-License-Identifier: Apache-2.0
#include "check/bulletin.h"

namespace heddle::check {

void Bulletin::publish_progress(const Report& report) {
  const std::lock_guard<std::mutex> guard(lock_);
  report_.statistics = report.statistics;
  report_.gaps = report.gaps;
  report_.has_checkpoint = report.has_checkpoint;
  // They only become more.
  if (report_.outcomes.size() != report.outcomes.size()) report_.outcomes = report.outcomes;
}

void Bulletin::publish_pending(std::optional<Finding> finding) {
  const std::lock_guard<std::mutex> guard(lock_);
  pending_ = std::move(finding);
}

void Bulletin::publish_findings(const std::vector<Finding>& findings) {
  const std::lock_guard<std::mutex> guard(lock_);
  report_.findings = findings;
}

Report Bulletin::settled(const Options& options, HeddleGap why) const {
  Report report;
  {
    const std::lock_guard<std::mutex> guard(lock_);
    report = report_;
    if (pending_) {
      report.findings.push_back(*pending_);
      report.findings.back().doubt = "the limit was reached before it could be run again";
    }
  }
  report.gaps.raise(why);
  report.statistics.states_are_known = false;
  settle_verdict(report, options);
  return report;
}

void settle_verdict(Report& report, const Options& options) {
  bool violated = false;
  for (const Finding& finding : report.findings) {
    if (!finding.silenced.empty()) continue;
    violated |= finding.confirmed;
    if (finding.confirmed) continue;
    report.gaps.raise(finding.doubt.empty() ? HEDDLE_GAP_UNCONFIRMED : HEDDLE_GAP_NOT_RUN_AGAIN, finding.message);
  }
  if (options.search != Search::kExhaustive) report.gaps.raise(HEDDLE_GAP_SAMPLED);
  if (options.reduction == Reduction::kMcrPublished) report.gaps.raise(HEDDLE_GAP_PUBLISHED_RULE);
  report.verdict = Verdict::from(violated, report.gaps);
}

}  // namespace heddle::check
