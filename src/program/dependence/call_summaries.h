// SPDX-License-Identifier: Apache-2.0
//
// Calls seen from outside: which arguments what a function gives back may depend
// on. With that, a path through the graph need not go into a function to get to
// what follows the call, and what goes in at one call does not come out at another.
//
//   x = max(a, b);  y = max(c, d);      x depends on a and b, not on c
//
// Paths through memory and through the state of libraries forget which call they
// are in; those need no summary.
#pragma once

#include <utility>
#include <vector>

#include "program/dependence/program_dependence.h"

namespace heddle::program {

// Edges from an argument to what comes back from its call.
std::vector<std::pair<NodeId, NodeId>> summarize_calls(const ProgramDependence& dependence);

// Stays within a function, without memory.
bool is_local(EdgeKind kind);

}  // namespace heddle::program
