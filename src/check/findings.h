// SPDX-License-Identifier: Apache-2.0
//
// Findings of a check: what counts as one, under which name, and which of them
// are the same.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "causal/execution.h"
#include "check/options.h"
#include "check/report.h"
#include "execute/executor.h"

namespace heddle::check {

// "assertion", "crash", "null-dereference", ...
const char* finding_kind(HeddleFailure failure);

// What went wrong in an execution, each with the schedule that leads to it.
// `trace` is the same run as a trace.
std::vector<Finding> findings_of(const causal::Execution& execution, const trace::Trace& trace, const Options& options);

// True if there can be something: cheap, so that traces are made only then.
bool has_findings(const causal::Execution& execution, const Options& options);

// The finding that a run without `go_on` ended with, if any.
std::optional<Finding> finding_of_run(const trace::Trace& trace, const Options& options);

// Findings of the same kind at the same places are one.
std::string identity_of(const Finding& finding);

// Whether a run shows the finding. Where threads wait in loops at the end of a
// livelock is chance and does not count.
bool same_finding(const Finding& shown, const Finding& finding);

// Runs the finding's schedule in a fresh process and compares: one in which
// nothing ran before, the child of a server that never runs the program itself.
// The finding keeps the trace of that run, and its schedule what the run came to.
// A race is confirmed when the happens-before checker reports it for that run.
class Confirmer {
 public:
  Confirmer(const execute::Subject& subject, const execute::ExecutorOptions& options);
  base::Result<bool> confirm(Finding& finding);
  uint64_t runs() const { return runs_; }
  // Ends the server, so that its time is known.
  void end() { executor_.reset(); }

 private:
  bool has_race(const execute::Run& run, const Finding& finding) const;

  const execute::Subject& subject_;
  execute::ExecutorOptions options_;
  std::unique_ptr<execute::Executor> executor_;  // once there is something to confirm
  uint64_t runs_ = 0;
};

}  // namespace heddle::check
