// SPDX-License-Identifier: Apache-2.0
#include "build/outside_inputs.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "build/numbered_program_llvm.h"
#include "pass/recorded_inputs.h"

namespace heddle::build {

std::map<uint32_t, std::string> inputs_not_told(const NumberedProgram& program) {
  std::map<uint32_t, std::string> result;
  for (const llvm::Function& function : *program.inside().module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto* callee =
          call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
      if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || !pass::brings_input(callee->getName()))
        continue;
      if (const uint32_t site = program.inside().site(instruction)) result[site] = llvm::demangle(callee->getName());
    }
  }
  return result;
}

}  // namespace heddle::build
