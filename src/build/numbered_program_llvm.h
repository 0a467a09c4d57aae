// SPDX-License-Identifier: Apache-2.0
//
// The inside of a NumberedProgram, for code that works on LLVM modules.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "build/numbered_program.h"
#include "pass/atomic_order.h"

namespace heddle::build {

using pass::atomic_order;

// The context is declared first: it must outlive the module.
struct NumberedProgram::Implementation {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::DenseMap<const llvm::Instruction*, uint32_t> sites;
  llvm::DenseSet<const llvm::Instruction*> is_private;        // accesses that get no hook; of a copy: the side written
  llvm::DenseSet<const llvm::Instruction*> reads_private;     // copies: the side read gets no hook
  llvm::DenseSet<const llvm::Instruction*> has_value;         // recorded on request
  llvm::DenseMap<uint32_t, const llvm::Function*> functions;  // by the site that records of entry and exit have
  std::unordered_map<std::string, uint64_t> globals;          // by symbol: address in the target

  uint32_t site(const llvm::Instruction& instruction) const { return sites.lookup(&instruction); }
};

}  // namespace heddle::build
