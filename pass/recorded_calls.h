// SPDX-License-Identifier: Apache-2.0
//
// Calls in recorded code: which function an indirect one goes to, where the program leaves its own
// code, and what it is told there (recorded_inputs.h).
#pragma once

#include "pass/path_bits.h"
#include "pass/rewriter.h"

namespace heddle::pass {

class RecordedCalls {
 public:
  // Looks at the module before anything is changed.
  RecordedCalls(Rewriter& rewriter, PathBits& bits);

  // The call may run code that writes bits.
  bool may_record(const llvm::CallBase& call) const;

  // Adds what is to be written down about this call of the original code.
  void rewrite(llvm::CallBase& call);

  uint64_t inputs() const { return inputs_; }

 private:
  void note_place(llvm::CallBase& call);
  void note_input(llvm::CallBase& call, llvm::StringRef pieces);
  void note_piece(llvm::CallBase& call, llvm::StringRef piece, llvm::Value* fine, llvm::IRBuilder<>& builder);

  Rewriter& r_;
  PathBits& bits_;
  llvm::DenseMap<const llvm::Function*, bool> records_;
  uint64_t inputs_ = 0;
};

// The function that is called; null: it is not known before the call.
llvm::Function* called_function(const llvm::CallBase& call);

}  // namespace heddle::pass
