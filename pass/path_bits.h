// SPDX-License-Identifier: Apache-2.0
//
// The code that writes the path. In each function the word being filled and the address of the thread's
// record are kept in registers. The word is put into the record before anything happens that others
// can notice or that may fail (path_plan.h), so a thread that does not touch memory between two branches
// stores once for both. Calls, and whatever else may add bits, leave it there, and it is taken from
// there again.
//
// A branch takes one or two instructions: both ways shift, and each adds its own bit.
//
// Whether the word is full is asked seldom: once around each loop, before each call and return,
// and after HEDDLE_PATH_SPARE bits at the latest. So at every call there is room for that many.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
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
  // Of one function; both become registers.
  struct Place {
    llvm::AllocaInst* word;
    llvm::AllocaInst* record;
  };
  void write(llvm::Instruction& terminator, bool then_look, const Place& place, llvm::LoopInfo& loops);
  // A branch whose ways each add their own bit; false: this is not possible without further jumps in a loop.
  bool write_on_ways(llvm::BranchInst& branch, const Place& place, const llvm::LoopInfo& loops);
  void shift_in(llvm::Instruction& position, unsigned width, llvm::Value* bits, const Place& place);
  void look(llvm::Instruction& position, const Place& place, llvm::LoopInfo& loops);
  void empty(llvm::IRBuilder<>& builder, const Place& place);
  void take(llvm::Instruction& position, const Place& place);
  void store(llvm::Instruction& position, const Place& place);

  llvm::Type* const i64_;
  llvm::PointerType* const pointer_;
  llvm::GlobalVariable* path_;  // thread-local
  llvm::FunctionCallee full_;
  llvm::MDNode* rarely_;
};

}  // namespace heddle::pass
