// SPDX-License-Identifier: Apache-2.0
#include "build/generate_code.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace heddle::build {
namespace {

// What LLVM cannot translate it reports by ending the process.
void code_generator_gave_up(void*, const char* reason, bool) {
  std::fprintf(stderr, "heddle: internal error: the code generator gave up: %s\n", reason);
  std::_Exit(70);
}

}  // namespace

base::Result<void> generate_object(llvm::Module& module, const std::string& path, bool fast) {
  static const bool installed = (llvm::install_fatal_error_handler(code_generator_gave_up), true);
  (void)installed;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const std::string triple =
      module.getTargetTriple().empty() ? llvm::sys::getDefaultTargetTriple() : module.getTargetTriple();
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) return base::Error{"no code generator for " + triple + ": " + problem, ""};
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.UseInitArray = true;  // else static constructors are put where nobody runs them
  // Fixed addresses: globals are at the same place in every run.
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "x86-64", "", options, llvm::Reloc::Static, llvm::CodeModel::Small,
                                  fast ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  std::error_code failed;
  llvm::raw_fd_ostream file(path, failed, llvm::sys::fs::OF_None);
  if (failed) return base::Error{"cannot write " + path + ": " + failed.message(), ""};
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, file, nullptr, llvm::CodeGenFileType::ObjectFile))
    return base::Error{"the code generator cannot write objects for " + triple, ""};
  passes.run(module);
  file.close();
  if (file.has_error()) {
    const std::string message = file.error().message();
    file.clear_error();
    return base::Error{"cannot write " + path + ": " + message, ""};
  }
  return {};
}

}  // namespace heddle::build
