// SPDX-License-Identifier: Apache-2.0
//
// Step by step through the functions of one thread: branches, calls, returns. The
// walker's own files only (LLVM).
#pragma once

#include <string>

#include "symbolic/walk_state.h"

namespace heddle::symbolic {

class Walk {
 public:
  // With `detours`, the other side of each branch is looked at as well (detours.h).
  Walk(WalkState& state, bool detours) : state_(state), detours_(detours) {}

  // The source has said all, or walk and source have parted.
  bool is_over() { return state_.is_stuck || !lost_.empty() || state_.source.is_lost() || state_.source.has_ended(); }
  // Why, if the walk itself could not go on.
  const std::string& lost() const { return lost_; }

  // The function is entered, by `call` or, null, from outside.
  void enter(const llvm::Function& function, const llvm::CallBase* call);
  void go_to(const llvm::BasicBlock& block);
  void step();

 private:
  Frame& frame() { return state_.frame(); }
  PathSource& source() { return state_.source; }
  void lose(std::string why) { lost_ = std::move(why); }
  void hold(const llvm::Instruction& instruction, Register& result);
  void settle(const llvm::Instruction& instruction, Register result);
  void make_local(const llvm::AllocaInst& local, Register& result);
  void end_block(const llvm::Instruction& end);
  std::optional<uint32_t> ask_way(uint32_t site);
  void take(const llvm::BranchInst& branch);
  void take(const llvm::SwitchInst& choice);
  void choose_way(const llvm::SwitchInst& choice, Term term);
  void leave(const llvm::ReturnInst& back);
  void call(const llvm::CallBase& call);
  const llvm::Function* called_through_pointer(std::optional<uint64_t> address);
  void call_outside(const llvm::CallBase& call, const llvm::Function* function);
  void finish_call(const llvm::CallBase& call, Register result);

  WalkState& state_;
  const bool detours_;
  std::string lost_;
};

// Does this block report that something is wrong?
bool fails(const llvm::BasicBlock& block);

// When the switch, of this value, goes to the block.
Term leads_to(solve::Terms& terms, const llvm::SwitchInst& choice, Term value, const llvm::BasicBlock& block);

}  // namespace heddle::symbolic
