// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/dependence/program_dependence.h"
#include "program/dependence_view.h"

namespace heddle::program {

// Copies the graph, with places from the debug information.
DependenceView make_view(const DependenceGraph& graph);

// "load", "store", "call pthread_join": what an instruction is, for people.
std::string instruction_text(const llvm::Instruction& instruction);

}  // namespace heddle::program
