// SPDX-License-Identifier: Apache-2.0
#include "check/finding_desk.h"

#include "base/files.h"
#include "property/stable_identity.h"

namespace heddle::check {

FindingDesk::FindingDesk(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                         const Options& options)
    : subject_(subject),
      execution_(execution),
      options_(options),
      confirmer_(subject, execution),
      shortener_(options) {}

KnownFindings FindingDesk::known() const {
  const std::lock_guard<std::mutex> guard(known_lock_);
  return known_;
}

// In a process that is not ended when the budget is spent: a finding that
// counts is the same, however little time is left.
base::Result<Finding> FindingDesk::shorten(const Finding& finding) {
  auto executor = execute::Executor::start(subject_, execution_);
  if (!executor) return executor.error();
  return shortener_.shorten(finding, **executor);
}

base::Result<Finding> FindingDesk::settle(const Finding& finding) {
  // Races have no end of their own that a shorter run could be seen to come to.
  const bool is_shortened = options_.shorten && finding.kind != "race";
  auto settled = is_shortened ? shorten(finding) : finding;
  if (!settled) return settled.error();
  auto confirmed = confirmer_.confirm(*settled);
  if (confirmed && !*confirmed && is_shortened) {
    *settled = finding;  // perhaps only the shorter one depends on the process
    confirmed = confirmer_.confirm(*settled);
  }
  if (!confirmed) return confirmed.error();
  settled->confirmed = *confirmed;
  name(*settled);
  return settled;
}

void FindingDesk::name(Finding& finding) const {
  finding.id = base::hash_text(property::stable_identity(finding, *subject_.sites));
  if (options_.silence) options_.silence(finding);
}

base::Result<bool> FindingDesk::add(const Finding& finding, std::vector<Finding>& findings) {
  const std::string identity = identity_of(finding);
  const bool is_new = known_->count(identity) == 0;
  if (!is_new && !finding.enabled_at_once) return false;
  auto settled = settle(finding);
  if (!settled) return settled.error();
  const bool is_confirmed = settled->confirmed, counts = is_confirmed && settled->silenced.empty();
  if (is_new) {
    auto known = std::make_shared<std::set<std::string>>(*known_);
    known->insert(identity);
    const std::lock_guard<std::mutex> guard(known_lock_);
    known_ = std::move(known);
    findings.push_back(std::move(*settled));
  } else if (is_confirmed) {  // a race that was known in its weaker form
    for (Finding& weaker : findings)
      if (identity_of(weaker) == identity) weaker = *settled;
  }
  return counts;
}

base::Result<void> FindingDesk::take_over(std::vector<Finding>& findings) {
  std::set<std::string> known;
  Confirmer again(subject_, execution_);  // its runs were counted when they were made first
  for (Finding& finding : findings) {
    known.insert(identity_of(finding));
    if (auto confirmed = again.confirm(finding); !confirmed) return confirmed.error();
    name(finding);
  }
  const std::lock_guard<std::mutex> guard(known_lock_);
  known_ = std::make_shared<const std::set<std::string>>(std::move(known));
  return {};
}

}  // namespace heddle::check
