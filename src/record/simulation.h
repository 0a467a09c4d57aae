// SPDX-License-Identifier: Apache-2.0
//
// A recording out of a controlled run: what would have been kept if a machine had done what the run
// did. So failures that only other machines have (PSO) can be recorded and reproduced here. The run
// takes a random schedule; input comes from the same places as in every controlled run, and is not noted.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "execute/executor.h"
#include "record/recorder.h"
#include "record/recording.h"

namespace heddle::record {

struct SimulationOptions {
  std::string file;                         // of the recording
  std::vector<std::string> inputs, cflags;  // for the facts
  schedule::MemoryModel memory = schedule::MemoryModel::kSc;
  uint64_t seed = 0;
  double hang_seconds = 10;
  std::optional<std::set<uint32_t>>
      reads;  // sites of reads whose values are kept (build::recorded_reads); nothing: no values
};

using SwitchNumbers = std::map<uint32_t, std::vector<uint32_t>>;  // as build::switch_numbers gives them

// A trace with branches as a recording; facts are left to the caller.
Recording recording_of(const trace::Trace& trace, const SwitchNumbers& switches,
                       const std::optional<std::set<uint32_t>>& reads = {});

// The subject tells its branches. Its output is passed on.
base::Result<RecordedRun> simulate_recording(const execute::Subject& subject, const SwitchNumbers& switches,
                                             const SimulationOptions& options);

}  // namespace heddle::record
