// SPDX-License-Identifier: Apache-2.0
#include "build/recorded_reads.h"

#include <llvm/IR/InstIterator.h>

#include "build/numbered_program_llvm.h"
#include "pass/read_values.h"

namespace heddle::build {

std::set<uint32_t> recorded_reads(const NumberedProgram& program) {
  std::set<uint32_t> sites;
  pass::Escape escape;
  for (const llvm::Function& function : *program.inside().module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const uint32_t site = program.inside().site(instruction);
          site != 0 && pass::is_recorded_read(instruction, escape))
        sites.insert(site);
  return sites;
}

}  // namespace heddle::build
