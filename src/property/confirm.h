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

// Runs the finding's schedule in a fresh process and compares: one in which
// nothing ran before, the child of a server that never runs the program itself.
// The finding keeps the trace of that run, and its schedule what the run came to.
// A race is confirmed when the happens-before checker reports it for that run, an
// atomicity violation when the three accesses follow each other in it.
class Confirmer {
 public:
  Confirmer(const execute::Subject& subject, const execute::ExecutorOptions& options);
  base::Result<bool> confirm(Finding& finding);
  uint64_t runs() const { return runs_; }
  // Ends the server, so that its time is known.
  void end() { executor_.reset(); }

 private:
  bool is_at(const HeddleRecord& record, const std::string& thread, const Place& place) const;
  bool has_race(const execute::Run& run, const Finding& finding) const;
  bool has_interference(const execute::Run& run, const Finding& finding) const;

  const execute::Subject& subject_;
  execute::ExecutorOptions options_;
  std::unique_ptr<execute::Executor> executor_;  // once there is something to confirm
  uint64_t runs_ = 0;
};

}  // namespace heddle::property
