// SPDX-License-Identifier: Apache-2.0
//
// The code that writes the path: in each function the word being filled is kept in a register and
// put into the thread's record whenever a bit is added. Calls, and whatever else may add bits,
// leave it there, and it is taken from there again.
//
// Whether the word is full is asked seldom: once around each loop, before each call and return,
// and after HEDDLE_PATH_SPARE bits at the latest. So at every call there is room for that many.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>

namespace heddle::pass {

class PathBits {
 public:
  explicit PathBits(llvm::Module& module);

  // `may_record`: the call may run code that writes bits. Returns how many places of the function write bits.
  uint64_t add(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record);

  // The calling thread's record.
  llvm::Value* record(llvm::IRBuilder<>& builder);

 private:
  struct Plan;
  Plan plan(llvm::Function& function, const std::function<bool(const llvm::CallBase&)>& may_record);
  void write(llvm::Instruction& terminator, bool then_look, llvm::AllocaInst& word);
  void shift_in(llvm::Instruction& position, unsigned width, llvm::Value* bits, llvm::AllocaInst& word);
  void look(llvm::Instruction& position, llvm::AllocaInst& word);
  void take(llvm::Instruction& position, llvm::AllocaInst& word);

  llvm::Type* const i64_;
  llvm::PointerType* const pointer_;
  llvm::GlobalVariable* path_;  // thread-local
  llvm::FunctionCallee full_;
  llvm::MDNode* rarely_;
};

}  // namespace heddle::pass
