// SPDX-License-Identifier: Apache-2.0
//
// A free run: the program's threads run in parallel, at their own pace, and
// every event of every thread goes into a trace file as it happens. Memory is
// bounded by the channel; when the host cannot keep up, the target waits.
#pragma once

#include <string>

#include "base/result.h"
#include "execute/executor.h"
#include "trace/trace.h"

namespace heddle::execute {

struct FreeRunOptions {
  int output = -1;  // as in ExecutorOptions
  int errors = -1;
  uint32_t chunks = 64;                            // of 256 KB, shared by all threads
  const std::atomic<bool>* interrupted = nullptr;  // as in ExecutorOptions
};

struct FreeRunResult {
  trace::Ending ending;
  uint64_t events = 0;
  uint64_t threads = 0;
  uint64_t plain_bytes = 0;  // of events, before packing
  uint64_t file_bytes = 0;
};

// The subject must be built for free runs (build::TargetOptions::free_running).
base::Result<FreeRunResult> run_freely(const Subject& subject, const FreeRunOptions& options,
                                       const std::string& trace_path);

}  // namespace heddle::execute
