// SPDX-License-Identifier: Apache-2.0
//
// A target for recording in production: the module as optimised for the user, with the code
// that writes the path (pass/recording.h), linked with libheddle_record.so. Run by itself it
// does what the program does.
#pragma once

#include "base/result.h"
#include "build/target.h"
#include "program/whole_program.h"

namespace heddle::build {

struct RecordingTargetOptions {
  bool marks_cores = true;    // the code notices that its thread was moved to another core
  bool marks_ways = false;    // instead of writing its path it has marks (code_marks.h): the processor writes it
  bool keeps_values = false;  // threads keep a check of each value that they read
};

// Uses up the program's module, which must be the optimised one (IntakeOptions).
base::Result<Target> make_recording_target(program::WholeProgram program, const RecordingTargetOptions& options);

}  // namespace heddle::build
