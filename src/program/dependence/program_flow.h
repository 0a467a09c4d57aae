// SPDX-License-Identifier: Apache-2.0
//
// Control dependence: which decisions decide whether a piece of code runs. A
// piece depends on a branch if one way from there always leads to the piece and
// another may miss it (that is, the piece does not post-dominate the branch).
//
//   if (a) exit(1);      the exit depends on a, and so does the store:
//   x = 1;               it is missed when the program exits
//
// A way is missed by code that may not come back as well: a call that may exit,
// throw or run for ever, a division by zero, a loop without an evident end. So
// blocks are cut into segments after such instructions, and each of those
// decides what follows it. A loop counts as ending when its number of rounds is
// known before it begins (scalar evolution).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <vector>

#include "program/dependence/program_pointers.h"

namespace heddle::program {

struct Segment {
  const llvm::BasicBlock* block;
  const llvm::Instruction* last;
  bool decides = false;                     // there is more than one way to go on
  llvm::SmallVector<uint32_t, 2> deciders;  // segments of the same function
};

struct FunctionFlow {
  std::vector<Segment> segments;  // of a block: one after the other
  llvm::SmallVector<uint32_t, 4> return_deciders, unwind_deciders;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> last_of;
  bool has_setjmp = false;
};

class ProgramFlow {
 public:
  ProgramFlow(const llvm::Module& module, const ProgramPointers& pointers);

  FunctionFlow flow_of(const llvm::Function& function) const;

  // How an instruction that is no branch may fail to reach the next one.
  struct Stop {
    bool comes_back = true;  // may reach the next
    bool ends = false;       // may never come back
    bool unwinds = false;    // may throw
    bool any() const { return !comes_back || ends || unwinds; }
  };
  Stop stop_at(const llvm::Instruction& instruction) const;

 private:
  Stop stop_of_external(const llvm::CallBase& call, const ExternalFunction& external) const;
  void find_loops(const llvm::Function& function);
  void find_own_ends(const llvm::Function& function);
  bool update(const llvm::Function& function);
  void find_recursion(const llvm::Module& module);

  const ProgramPointers& pointers_;
  bool has_cancellation_ = false;
  llvm::DenseSet<const llvm::BasicBlock*> endless_;  // heads of loops that may not end
  llvm::DenseSet<const llvm::Function*> may_end_, may_unwind_;
  llvm::DenseMap<const llvm::Function*, std::vector<const llvm::CallBase*>> calls_of_;
  llvm::DenseMap<const llvm::CallBase*, llvm::SmallVector<const llvm::Function*, 1>> called_back_;  // at once
};

}  // namespace heddle::program
