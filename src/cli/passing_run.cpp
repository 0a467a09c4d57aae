// SPDX-License-Identifier: Apache-2.0
#include "cli/passing_run.h"

#include <algorithm>

namespace heddle::cli {
namespace {

constexpr uint64_t kTries = 6;
constexpr double kPatience = 1;  // seconds without a visible operation

}  // namespace

std::optional<trace::Trace> passing_run(const execute::Subject& subject, execute::ExecutorOptions how,
                                        schedule::MemoryModel memory, uint64_t event_limit) {
  how.hang_seconds = std::min<double>(how.hang_seconds, kPatience);
  auto executor = execute::Executor::start(subject, how);
  if (!executor) return std::nullopt;
  for (uint64_t seed = 0; seed < kTries; ++seed) {
    execute::RunRequest request;
    request.memory = memory;
    request.event_limit = event_limit;
    request.local_time = true;  // as the runs of a check, so that times are equal
    request.strategy = seed == 0 ? HEDDLE_STRATEGY_DEFAULT : HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    auto done = (*executor)->run(request);
    if (!done) return std::nullopt;
    trace::Trace trace = (*executor)->to_trace(*done, request);
    if (trace.ending.outcome == HEDDLE_OUTCOME_HANG) return std::nullopt;
    if (trace.complete && trace.ending.outcome == HEDDLE_OUTCOME_EXIT && trace.ending.detail == 0) return trace;
  }
  return std::nullopt;
}

}  // namespace heddle::cli
