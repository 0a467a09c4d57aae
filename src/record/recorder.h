// SPDX-License-Identifier: Apache-2.0
//
// Runs a program built for recording, as its user would have run it: same input and output, same
// terminal, same signals. Afterwards the recording is the file named here.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/target.h"
#include "record/recording.h"

namespace heddle::record {

struct RecorderOptions {
  std::string file;                         // of the recording
  std::string name;                         // argv[0] of the program
  std::vector<std::string> inputs, cflags;  // for the facts
  std::vector<std::string> arguments;
  uint64_t keep_last = 0;      // bytes; 0: everything
  double timeout_seconds = 0;  // 0: none; the program is killed then
  bool marks_cores = true;
  bool stamps = false;  // threads note the time now and then
  bool values = false;  // threads keep a check of each value that they read; the target does so
  std::string perf;     // not empty: the processor writes the paths, this perf has it do so, and the target has marks
};

struct RecordedRun {
  Ending ending = Ending::kExited;
  int status = 0;                       // exit code or signal
  bool was_recorded = true;             // else the program ran, and could not map the file
  double seconds = 0, cpu_seconds = 0;  // of the program
  uint64_t file_bytes = 0;              // on the disk
  std::string without_paths;            // the processor's trace could not be used, and why
};

// An Error means that the program was not started.
base::Result<RecordedRun> record_program(const build::Target& target, const RecorderOptions& options);

}  // namespace heddle::record
