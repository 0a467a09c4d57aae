// SPDX-License-Identifier: Apache-2.0
//
// One check of one program: runs what the explorer asks for, keeps the books
// (executions, classes, outcomes), turns what goes wrong into findings, and
// confirms each finding by running its schedule again in a fresh process.
#pragma once

#include <functional>

#include "base/result.h"
#include "check/options.h"
#include "check/report.h"
#include "execute/executor.h"

namespace heddle::check {

struct Progress {
  uint64_t executions = 0, states = 0;
  size_t findings = 0;
  double seconds = 0;
};

// `progress` is called now and then; true: stop and report what there is.
base::Result<Report> check(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                           const Options& options, const std::function<bool(const Progress&)>& progress = {});

}  // namespace heddle::check
