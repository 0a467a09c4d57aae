// SPDX-License-Identifier: Apache-2.0
//
// Where a function does what with the word of its path (path_bits.h). The word is in a register; it
// must be in the thread's record before anything happens that others can notice or that may be
// the last thing to happen: an access to memory, a call, a division, a return. Between them nobody can tell.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <functional>
#include <vector>

namespace heddle::pass {

struct PathPlan {
  struct Write {
    llvm::Instruction* terminator;
    bool then_look;
  };
  std::vector<llvm::Instruction*> take_before;   // from the record
  std::vector<llvm::Instruction*> look_before;   // whether the word is full
  std::vector<llvm::Instruction*> store_before;  // into the record; after the look
  std::vector<Write> writes;                     // after both
};

// `may_record`: the call may run code that writes bits.
PathPlan plan_path(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record);

}  // namespace heddle::pass
