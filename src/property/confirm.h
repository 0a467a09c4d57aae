// SPDX-License-Identifier: Apache-2.0
//
// Findings are confirmed by running them: no analysis reports one as confirmed
// otherwise.
#pragma once

#include <memory>

#include "base/result.h"
#include "causal/execution.h"
#include "execute/executor.h"
#include "property/finding.h"

namespace heddle::property {

// Does the run come to this, and there? A failure must be of the finding's kind, in its thread and at its line; in a
// deadlock each of its threads waits at its place. If the run went on, they must wait for each other. Of a livelock and
// of an exit code the kind is enough. Not for races and atomicity violations.
bool shows(const execute::Run& run, const std::vector<trace::Site>& sites, const Finding& finding);

// Runs the finding's schedule in a fresh process and compares: one in which
// nothing ran before, the child of a server that never runs the program itself.
// The finding keeps the trace of that run, and its schedule what the run came to.
// A race is confirmed when the happens-before checker reports it for that run, an
// atomicity violation when the three accesses follow each other in it, anything else
// when the run shows it (below). A fault in code without bitcode has to happen on
// operating-system threads as well: it may be that such code does not get on with fibers.
class Confirmer {
 public:
  Confirmer(const execute::Subject& subject, const execute::ExecutorOptions& options);
  base::Result<bool> confirm(Finding& finding);
  uint64_t runs() const { return runs_; }
  // Ends the server, so that its time is known.
  void end() { executor_.reset(); }

 private:
  bool has_race(const execute::Run& run, const Finding& finding) const;
  bool has_interference(const execute::Run& run, const Finding& finding) const;
  base::Result<bool> happens_on_threads(const Finding& finding);

  const execute::Subject& subject_;
  execute::ExecutorOptions options_;
  std::unique_ptr<execute::Executor> executor_;  // once there is something to confirm
  uint64_t runs_ = 0;
};

}  // namespace heddle::property
