// SPDX-License-Identifier: Apache-2.0
#include "build/free_hooks.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::build {
namespace {

// Bodies to inline from, no more; flags of the compilation are the program's.
void prepare(llvm::Module& hooks) {
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* used = hooks.getGlobalVariable(list)) used->eraseFromParent();
  for (llvm::Function& function : hooks) {
    if (function.isDeclaration()) continue;
    function.setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
    function.setComdat(nullptr);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  if (llvm::NamedMDNode* flags = hooks.getModuleFlagsMetadata()) flags->eraseFromParent();
}

// Counting leading zeros is one instruction on every machine of the last decade,
// and a slow one without it.
void use_lzcnt(llvm::Module& module) {
  if (!llvm::sys::getHostCPUFeatures().lookup("lzcnt")) return;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::string features = function.getFnAttribute("target-features").getValueAsString().str();
    function.addFnAttr("target-features", features.empty() ? "+lzcnt" : features + ",+lzcnt");
  }
}

void run_passes(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::SimplifyCFGPass());
  clean.addPass(llvm::EarlyCSEPass());
  // What one event left behind in memory the next has in registers.
  clean.addPass(llvm::GVNPass());
  clean.addPass(llvm::InstCombinePass());
  clean.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(clean)));
  passes.run(module, modules);
}

}  // namespace

std::string free_hooks_file(const std::string& runtime) {
  return (std::filesystem::path(runtime).parent_path() / "free_hooks.bc").string();
}

base::Result<void> inline_free_hooks(llvm::Module& module, const std::string& path) {
  const auto unusable = [&](const std::string& why) {
    return base::Error{fmt::format("cannot use the hooks in {}: {}", path, why), "build or install heddle anew"};
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) return unusable(file.getError().message());
  auto hooks = llvm::parseBitcodeFile((*file)->getMemBufferRef(), module.getContext());
  if (!hooks) return unusable(llvm::toString(hooks.takeError()));
  prepare(**hooks);
  if (!module.getTargetTriple().empty()) (*hooks)->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(*hooks))) return unusable("they do not fit the program");
  use_lzcnt(module);
  run_passes(module);
  return {};
}

}  // namespace heddle::build
