// SPDX-License-Identifier: Apache-2.0
//
// After a run that the processor traced: from perf's file to paths in the recording.
#pragma once

#include "base/result.h"
#include "build/target.h"
#include "record/pt/paths.h"
#include "record/recording_file.h"

namespace heddle::record::pt {

// What perf left of a run of this target.
base::Result<Trace> read_trace(const build::Target& target, const std::string& perf_data);

// Adds the paths to a recording that is not finished. After an Error the recording has none.
base::Result<void> decode_run(const build::Target& target, const std::string& perf_data, RecordingFile& file);

}  // namespace heddle::record::pt
