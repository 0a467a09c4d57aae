// SPDX-License-Identifier: Apache-2.0
//
// How a run ended, in words and as an exit code.
#pragma once

#include <string>

#include "trace/trace.h"

namespace heddle::cli {

// "assertion in T0 at file.c:23 (main): counter == 2"; a deadlock has a line for
// each thread.
std::string outcome_text(const trace::Trace& trace);

// 0 ended with code 0; 1 a finding (failure, deadlock, nonzero exit code); 4
// could not be followed or is not supported.
int outcome_exit_code(const trace::Ending& ending);

}  // namespace heddle::cli
