// SPDX-License-Identifier: Apache-2.0
//
// The symbolic trace of a run: made from a run that was recorded with functions,
// branches and values. What follows sees its operations only.
#pragma once

#include "build/numbered_program.h"
#include "solve/terms.h"
#include "symbolic/symbolic_trace.h"
#include "trace/trace.h"

namespace heddle::symbolic {

struct WalkedTrace {
  solve::Terms terms;
  SymbolicTrace symbolic;  // threads as in the trace; operations[i].index is i
};

// The trace must have been recorded with functions, branches and values. `detours`: as walk_thread.
WalkedTrace walk_trace(const trace::Trace& trace, const build::NumberedProgram& program, bool detours = false);

// Branches and values go; events and functions keep their order.
void drop_local_records(trace::Trace& trace);

// Both have the same visible operations in the same order, whatever their addresses and values.
bool has_same_operations(const trace::Trace& one, const trace::Trace& other);

}  // namespace heddle::symbolic
