// SPDX-License-Identifier: Apache-2.0
//
// heddle predict: one run, and the bugs that other orders of its events have.
// Every prediction that can be run is run, in a fresh process; one that does not
// happen there is listed as not confirmed, with the reason.
#pragma once

#include "base/result.h"
#include "build/numbered_program.h"
#include "execute/executor.h"
#include "predict/options.h"
#include "predict/report.h"
#include "trace/trace.h"

namespace heddle::predict {

// What the model recipe needs beside the subject: the same program as a target that records functions, branches
// and values, and its module.
struct RecipeSubject {
  execute::Subject recorded;
  build::NumberedProgram program;
};

// Runs the program once, under control, and predicts from that run. `recipe`: with that model, and only then.
base::Result<Report> predict_program(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                                     const Options& options, const RecipeSubject* recipe = nullptr);

// The same from a trace alone: findings are validated on it, and none is
// confirmed. An error if the trace makes no sense or cannot serve.
base::Result<Report> predict_trace(std::shared_ptr<const trace::Trace> shared, const Options& options);

// The order as the text of a schedule; its steps may be as many as the trace has events.
std::string schedule_text(const trace::Trace& trace, const Order& order);

}  // namespace heddle::predict
