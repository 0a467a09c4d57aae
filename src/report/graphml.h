// SPDX-License-Identifier: Apache-2.0
//
// A finding as a violation witness of SV-COMP (GraphML, format 1.0): an automaton that
// leads another verifier along the failing order. It is one path; an edge is a stretch
// of one thread in one line, with the thread, the line, the threads it creates, and
// what it leaves in a global of the program.
//
//   <edge source="N3" target="N4">
//     <data key="threadId">1</data> <data key="startline">13</data> <data key="assumption">counter == 1;</data>
//
// The format knows only C, sequential consistency and some kinds of findings; for
// others there is no witness, and the error says so.
#pragma once

#include <string>

#include "base/result.h"
#include "report/run_result.h"

namespace heddle::report {

// Of the first confirmed finding of the run. Reads the source it is in.
base::Result<std::string> graphml_text(const RunResult& run);

}  // namespace heddle::report
