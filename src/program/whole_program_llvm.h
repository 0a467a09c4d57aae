// SPDX-License-Identifier: Apache-2.0
//
// The inside of a WholeProgram, for code that works on LLVM modules.
//
//   #include "program/whole_program_llvm.h"
//   for (llvm::Function& function : program.module()) ...
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "program/whole_program.h"

namespace heddle::program {

// The context is declared first: it must outlive the module.
struct WholeProgram::Implementation {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::string name;
  std::string hash;
  LinkFacts link;
};

}  // namespace heddle::program
