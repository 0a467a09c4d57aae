// SPDX-License-Identifier: Apache-2.0
#include "pass/preparation.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "pass/library_code.h"

namespace heddle::pass {
namespace {

struct LibraryCodePass : llvm::PassInfoMixin<LibraryCodePass> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    inline_library_functions(module);
    move_places_to_the_program(module);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void prepare_code(llvm::Module& module, CodeForm form) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = false;
  llvm::PassBuilder builder(nullptr, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // Inlines what must be inlined and lowers coroutines.
  llvm::ModulePassManager passes = form == CodeForm::kOptimised
                                       ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
                                       : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  const auto use_registers = [&] {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
  };
  if (form != CodeForm::kAsWritten) use_registers();
  if (form == CodeForm::kRegisters) {
    passes.addPass(LibraryCodePass());
    use_registers();
  }
  passes.run(module, modules);
}

void drop_own_bodies(llvm::Module& module) {
  for (const char* name : {"__heddle_assert_failed", "__heddle_assume", "__heddle_observe", "__heddle_nondet_int"}) {
    llvm::Function* function = module.getFunction(name);
    if (!function || function->isDeclaration()) continue;
    function->deleteBody();
    function->setComdat(nullptr);
    function->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

void keep_inline_functions_to_the_program(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLinkOnceODRLinkage()) continue;
    if (function.hasDefaultVisibility()) function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

}  // namespace heddle::pass
