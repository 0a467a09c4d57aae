// SPDX-License-Identifier: Apache-2.0
//
// The ways out of a block, as recordings number them.
#pragma once

#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::pass {

// The distinct successors of a block, in the order of their first appearance.
std::vector<llvm::BasicBlock*> distinct_successors(llvm::Instruction& terminator);

// How many bits of the path tell which way was taken; 0: there is only one.
unsigned width_of(llvm::Instruction& terminator);

// A block of its own on the way from one block to another, for all edges between them.
llvm::BasicBlock& edge_block(llvm::Instruction& terminator, llvm::BasicBlock& to);

}  // namespace heddle::pass
