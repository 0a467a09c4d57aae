// SPDX-License-Identifier: Apache-2.0
//
// Which memory provably belongs to one thread: locals whose address goes
// nowhere, thread-local variables whose address goes nowhere, and constants.
// Heap memory is never taken to be private, so that use after free is seen.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Value.h>

namespace heddle::pass {

class Escape {
 public:
  // True if no other thread can see what this pointer points to; for loads,
  // also true if it never changes.
  bool is_private(const llvm::Value* pointer, bool for_load);

  // True for a local whose address may be seen elsewhere.
  bool local_escapes(const llvm::Value* local) { return !stays(local); }

 private:
  bool stays(const llvm::Value* object);
  llvm::DenseMap<const llvm::Value*, bool> known_;
};

}  // namespace heddle::pass
