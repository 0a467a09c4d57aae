// SPDX-License-Identifier: Apache-2.0
//
// After each store to memory that other threads may see, recorded code looks whether it was taken off
// its core since the last one (runtime/record/cores.cpp). So it is known exactly between which two
// stores that was.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "pass/rewriter.h"

namespace heddle::pass {

class CoreMarks {
 public:
  explicit CoreMarks(Rewriter& rewriter);

  // The stores of a function that is not changed yet.
  std::vector<llvm::Instruction*> shared_stores(llvm::Function& function);
  void add(llvm::Instruction& store);

 private:
  Rewriter& r_;
  llvm::GlobalVariable* core_;  // thread-local
  llvm::FunctionCallee changed_;
  llvm::MDNode* rarely_;
};

}  // namespace heddle::pass
