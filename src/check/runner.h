// SPDX-License-Identifier: Apache-2.0
//
// Runs jobs for one worker, in a target process of its own, and looks at what
// happened, as far as that can be said without knowing what other workers do:
// the execution, what went wrong in it, what its operations could come to in
// another order.
//
// Threads of the program get their ids in the order of work that counts. A run
// with a thread that is new is therefore left as it is, and is looked at when
// all work before it counts (finish).
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "causal/thread_table.h"
#include "check/explorer.h"
#include "check/finding_desk.h"
#include "check/predictions.h"
#include "check/work.h"
#include "execute/executor.h"

namespace heddle::check {

// What came of a job.
struct RunReport {
  ExecutionRef execution;  // null: not looked at yet
  execute::Run run;        // then this is what there is
  Job job;
  gaps::Gaps gaps;                   // why "holds" would say too much of this execution
  std::vector<Finding> findings;     // of the run itself
  Predictions::Predicted predicted;  // of its operations in another order
  solve::Statistics solved;          // for that
  KnownFindings known;               // when it was predicted
};

class Runner {
 public:
  // The references must outlive it.
  Runner(const execute::Subject& subject, const execute::ExecutorOptions& execution, const Options& options,
         causal::Histories& histories);

  // Before all else, by the thread that will use it: the target lives no longer than that.
  base::Result<void> start();
  base::Result<RunReport> run(Job job);
  // Looks at a run whose threads all have ids by now.
  void finish(RunReport& report);
  // Once more, with what is known now.
  void predict(RunReport& report);

  // What others have found out: replaced while nothing is run.
  causal::ThreadTable threads;
  KnownFindings known;
  Bench bench;

 private:
  execute::RunRequest request_for(const Job& job) const;

  const execute::Subject& subject_;
  const execute::ExecutorOptions execution_options_;
  const Options& options_;
  causal::Histories& histories_;
  const Predictions predictions_;
  std::unique_ptr<execute::Executor> executor_;
  std::unique_ptr<execute::Executor> apart_;  // for jobs that are
};

}  // namespace heddle::check
