// SPDX-License-Identifier: Apache-2.0
//
// The answer of heddle check: printed first, then kept.
#pragma once

#include <string>
#include <vector>

#include "base/watchdog.h"
#include "check/report.h"
#include "cli/kept_run.h"
#include "execute/executor.h"
#include "report/check_text.h"
#include "report/program_facts.h"

namespace heddle::cli {

struct CheckAnswer {
  report::ProgramFacts facts;
  report::TextOptions text;
  std::string format = "text";
  // For a run in which nothing goes wrong, kept beside the findings; no subject: none is made.
  const execute::Subject* subject = nullptr;
  execute::ExecutorOptions execution;
  uint64_t event_limit = 0;

  // Prints and keeps the report; returns the exit code. `watchdog`: told when the answer is out; may be null.
  int give(const check::Report& report, KeptRun& run, base::Watchdog* watchdog, bool was_interrupted) const;

 private:
  void keep(const check::Report& report, const std::string& json, KeptRun& run) const;
  void keep_passing_run(const check::Report& report, KeptRun& run) const;
};

}  // namespace heddle::cli
