// SPDX-License-Identifier: Apache-2.0
//
// A run of the program in which nothing goes wrong, to compare a failing one with.
#pragma once

#include <optional>

#include "execute/executor.h"
#include "execute/subject.h"
#include "trace/trace.h"

namespace heddle::cli {

// Tries the default schedule and some random ones. Nothing if all fail or the program takes its time.
std::optional<trace::Trace> passing_run(const execute::Subject& subject, execute::ExecutorOptions how,
                                        schedule::MemoryModel memory, uint64_t event_limit);

}  // namespace heddle::cli
