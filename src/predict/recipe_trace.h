// SPDX-License-Identifier: Apache-2.0
//
// The symbolic trace of a run, and the run itself without the records that the
// walk needed: what follows sees operations only.
#pragma once

#include "build/numbered_program.h"
#include "solve/terms.h"
#include "symbolic/symbolic_trace.h"
#include "trace/trace.h"

namespace heddle::predict {

struct RecipeTrace {
  solve::Terms terms;
  symbolic::SymbolicTrace symbolic;  // threads as in the trace; operations[i].index is i
};

// The trace must have been recorded with functions, branches and values.
RecipeTrace walk_trace(const trace::Trace& trace, const build::NumberedProgram& program);

// Functions, branches and values go; events keep their order.
void drop_local_records(trace::Trace& trace);

}  // namespace heddle::predict
