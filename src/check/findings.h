// SPDX-License-Identifier: Apache-2.0
//
// Findings of a check: what counts as one, under which name, and which of them
// are the same.
#pragma once

#include <string>
#include <vector>

#include "causal/execution.h"
#include "check/options.h"
#include "check/report.h"
#include "property/confirm.h"

namespace heddle::check {

using property::Confirmer;
using property::finding_kind;
using property::identity_of;

// What went wrong in an execution, each with the schedule that leads to it.
// `trace` is the same run as a trace.
std::vector<Finding> findings_of(const causal::Execution& execution, const trace::Trace& trace, const Options& options);

// True if there can be something: cheap, so that traces are made only then.
bool has_findings(const causal::Execution& execution, const Options& options);

// The findings of a run without `go_on`: misuses that the run went on after, and the failure that ended it.
std::vector<Finding> findings_of_run(const trace::Trace& trace, const Options& options);

// Whether a run shows the finding. Where threads wait in loops at the end of a
// livelock is chance and does not count.
bool same_finding(const Finding& shown, const Finding& finding);

}  // namespace heddle::check
