// SPDX-License-Identifier: Apache-2.0
//
// On request recorded code keeps a check of every value that it reads from memory which others may write, 18 bits: the
// word in the thread's record is shifted, and when it has three of them it becomes a note (runtime/record/values.cpp).
//
//   %v = load i32, %p        %v = load i32, %p; values = values << 18 | check(%v); if (values >> 54) full(values)
//
// Pointers are left out, for addresses are others in every run, and so is what is wider than eight bytes.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "pass/path_bits.h"
#include "pass/rewriter.h"

namespace heddle::pass {

// Whether recordings with values have a check of what this reads. Of code that is not changed yet.
bool is_recorded_read(const llvm::Instruction& instruction, Escape& escape);

class ReadValues {
 public:
  ReadValues(Rewriter& rewriter, PathBits& bits);

  // The reads of a function that is not changed yet.
  std::vector<llvm::Instruction*> shared_reads(llvm::Function& function);
  void add(llvm::Instruction& read);

 private:
  Rewriter& r_;
  PathBits& bits_;
  llvm::FunctionCallee full_;
  llvm::MDNode* rarely_;
};

}  // namespace heddle::pass
