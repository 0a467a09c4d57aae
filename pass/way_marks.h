// SPDX-License-Identifier: Apache-2.0
//
// Marks in the code of a program whose path the processor writes down (Intel PT): it tells which
// machine instructions ran, and a mark tells what that means for the module. Each way out of a
// branch, and each store to shared memory, gets an instruction of one byte that does nothing, and an
// entry in a section that is never loaded:
//
//   nop                        .heddle_marks: address of the nop, site of the instruction, kind and number
//
// Whatever the code generator makes of a branch (it may turn it round, make one of two or two of
// one), who passes the mark went that way. A copy of the code has an entry of its own.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "base/result.h"

namespace heddle::pass {

inline constexpr const char* kMarkSection = ".heddle_marks";
inline constexpr unsigned kMarkBytes = 16;   // address (8), site (4), kind << 24 | number (4)
inline constexpr unsigned kStoreMark = 255;  // all other kinds: so many bits of the path
inline constexpr unsigned kMostMarkedWays = 1 << 24;

class WayMarks {
 public:
  explicit WayMarks(llvm::Module& module);

  // `site` numbers the instructions of the module. Returns how many branches got marks; an Error: there is
  // one whose ways cannot have any.
  base::Result<uint64_t> add(llvm::Function& function, const std::function<uint32_t(const llvm::Instruction&)>& site);
  void add_store(llvm::Instruction& store, uint32_t site);

 private:
  void mark(llvm::Instruction& position, uint32_t site, unsigned kind, uint32_t number);
  llvm::FunctionType* const type_;
};

}  // namespace heddle::pass
