// SPDX-License-Identifier: Apache-2.0
#include "check/shorten_finding.h"

#include "check/findings.h"
#include "execute/steady_run.h"
#include "schedule/shorten.h"

namespace heddle::check {
namespace {

// Both bound the effort in a way that does not depend on the machine.
constexpr uint64_t kMostRuns = 200;
constexpr uint64_t kMostRecords = 4'000'000;

}  // namespace

base::Result<Finding> FindingShortener::shorten(const Finding& finding, execute::Executor& executor) {
  Finding result = finding;
  std::optional<base::Error> failure;
  uint64_t records = 0;
  // What running this schedule shows, if that is the finding.
  const auto run = [&](const schedule::Schedule& candidate) -> std::optional<Finding> {
    if (failure || records > kMostRecords || (options_.stop && options_.stop->is_requested())) return std::nullopt;
    execute::RunRequest request;
    request.prefix = &candidate;
    request.event_limit = options_.event_limit;
    auto done = execute::run_steadily(executor, request);
    if (!done) {
      failure = done.error();
      return std::nullopt;
    }
    ++runs_;
    records += done->records.size();
    for (Finding& shown : findings_of_run(executor.to_trace(*done, request), options_))
      if (same_finding(shown, finding)) return std::move(shown);
    return std::nullopt;
  };
  const auto trial = [&](const schedule::Schedule& candidate) -> std::optional<schedule::Schedule> {
    std::optional<Finding> shown = run(candidate);
    if (!shown) return std::nullopt;
    return std::move(shown->schedule);
  };
  const schedule::Schedule shortest = schedule::shorten(finding.schedule, trial, kMostRuns);
  if (!(shortest == finding.schedule))
    if (std::optional<Finding> shown = run(shortest)) result = std::move(*shown);
  if (failure) return *failure;
  result.original_switches = schedule::context_switches(finding.schedule);
  return result;
}

}  // namespace heddle::check
