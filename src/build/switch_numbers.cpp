// SPDX-License-Identifier: Apache-2.0
#include "build/switch_numbers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "build/numbered_program_llvm.h"

namespace heddle::build {

std::map<uint32_t, std::vector<uint32_t>> switch_numbers(const NumberedProgram& program) {
  std::map<uint32_t, std::vector<uint32_t>> result;
  for (const llvm::Function& function : *program.inside().module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction);
      const uint32_t site = choice ? program.inside().site(instruction) : 0;
      if (site == 0) continue;
      llvm::DenseMap<const llvm::BasicBlock*, uint32_t> numbers;
      for (unsigned i = 0; i < choice->getNumSuccessors(); ++i)
        result[site].push_back(
            numbers.try_emplace(choice->getSuccessor(i), static_cast<uint32_t>(numbers.size())).first->second);
    }
  }
  return result;
}

}  // namespace heddle::build
