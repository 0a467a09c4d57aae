// SPDX-License-Identifier: Apache-2.0
//
// The symbolic trace of a run of a Program, as the walker would make it from
// bitcode: registers are terms over what was read, branches and assertions are
// conditions.
#pragma once

#include "oracle/program.h"
#include "symbolic/walk_trace.h"
#include "trace/trace.h"

namespace heddle::oracle {

// `trace` is trace_of_run of the same run.
symbolic::WalkedTrace symbolic_of_run(const Program& program, const trace::Trace& trace);

}  // namespace heddle::oracle
