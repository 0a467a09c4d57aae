// SPDX-License-Identifier: Apache-2.0
//
// Instrumentation for recording in production (src/abi/recording.h): one bit a conditional
// branch, the number of the successor at a switch, the function at an indirect call, and what
// calls of code without bitcode brought in. The module is the one optimised for the user;
// nothing is optimised again, so the program does what it always does, and a little more.
//
//   br i1 %c, %a, %b           br i1 %c, %a, %b; a: word = word << 1 | 1; b: word = word << 1
//   store ...                  thread's record = word; store ...
//   call %f(...)               note(TARGET, f); call %f(...)
//   %v = load ...              %v = load ...; values = values << 18 | check of %v      (on request)
//   %n = call @read(...)       ...; note(BYTES, buffer, n); note(RESULT, n)
//
// Instructions are numbered as by instrument(): whoever prepares the same module with
// prepare_recorded_code, or instruments it for controlled runs, has the same sites. The line
// numbers in the debug information of the recorded code are sites, so that an address of the
// code tells the instruction, whether the program was compiled with -g or not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "pass/instrument.h"

namespace heddle::pass {

struct RecordingOptions {
  bool marks_cores = true;    // notice at shared stores that the thread was moved
  bool marks_ways = false;    // the processor writes the path and the cores: only marks in the code (way_marks.h)
  bool keeps_values = false;  // a check of each value that is read from shared memory (read_values.h)
};

struct RecordedProgram {
  std::vector<SitePlace> places;               // ascending by site
  std::vector<std::string> unknown_functions;  // called, without bitcode, effects not known; sorted
  std::vector<std::string> functions;          // symbols of those with bitcode
  uint64_t branches = 0;                       // places that write bits
  uint64_t inputs = 0;                         // calls whose results are noted
};

// What is done to the module before instructions are numbered.
void prepare_recorded_code(llvm::Module& module);

// Changes the module in place.
base::Result<RecordedProgram> instrument_for_recording(llvm::Module& module, const RecordingOptions& options);

}  // namespace heddle::pass
