// SPDX-License-Identifier: Apache-2.0
//
// The sides of branches that a run did not take (RECIPE, section V-B): from a
// branch of the walk all paths of the other side, or sides of a switch, as far as
// they are simple: no loop, no allocation, no code without bitcode, no pointer that
// was read on the way. What they access may race too. Where they end is kept
// (WalkStatistics::sides_end_at).
#pragma once

#include <cstdint>

#include "symbolic/walk_state.h"

namespace heddle::symbolic {

// `taken`: the number of the successor that the run took. Adds to the trace's detours.
void explore_detours(WalkState& state, const llvm::BranchInst& branch, uint32_t taken);
void explore_detours(WalkState& state, const llvm::SwitchInst& choice, uint32_t taken);

}  // namespace heddle::symbolic
