// SPDX-License-Identifier: Apache-2.0
//
// How gdb is called to show the end of a run: the target runs until the runtime
// stops it with a breakpoint trap (HEDDLE_REQUEST_TRAP), in the thread that ended
// the run; then the frame of the program's own function is selected. Each thread
// of the program is a thread of the debugger (--carrier=thread).
#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle::cli {

// To be followed by the target and its arguments. `run` is an earlier run of the
// same schedule.
std::vector<std::string> debugger_command(const trace::Trace& run);

}  // namespace heddle::cli
