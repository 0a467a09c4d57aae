// SPDX-License-Identifier: Apache-2.0
//
// The code of comparisons: what stands at the beginning and the end of a segment and
// at each of its slots (src/abi/comparison.h has the picture).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

class ComparisonCode {
 public:
  explicit ComparisonCode(llvm::Module& module);

  // Before `position`.
  void begin_segment(uint32_t segment, llvm::Instruction* position);
  void end_segment(uint32_t slots, llvm::Instruction* position);

  // How many slots a value takes; 0: such values are not compared.
  static uint32_t words_of(llvm::Type* type, const llvm::DataLayout& layout);

  // Compares `value` with slots `first`... of the segment begun last, before `position`;
  // what is to be used in place of it. Loads and stores say where it is in memory.
  struct Memory {
    llvm::Value* address = nullptr;
    bool stores = false;
  };
  llvm::Value* compare(llvm::Value* value, uint32_t first, Memory memory, llvm::Instruction* position);

  // A number for the bytes at `address`: `size` times `count` of them, or, without `size`, a text.
  llvm::Value* bytes_at(llvm::Value* address, llvm::Value* size, llvm::Value* count, llvm::Instruction* position);

  // The next allocation is made by the program itself, not by a library.
  void announce_allocation(llvm::Instruction* position);

 private:
  llvm::Value* compare_word(llvm::Value* word, uint32_t slot, llvm::Value* address, uint32_t size,
                            llvm::Instruction* position);

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* i32_;
  llvm::IntegerType* i64_;
  llvm::GlobalVariable* cursor_;
  llvm::GlobalVariable* allocates_;
  llvm::FunctionCallee segment_;
  llvm::FunctionCallee differs_;
  llvm::FunctionCallee differs_at_;
  llvm::MDNode* rarely_;
  llvm::Value* words_ = nullptr;  // of the current segment, in its stream
};

}  // namespace heddle::pass
