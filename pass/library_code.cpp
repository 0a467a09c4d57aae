// SPDX-License-Identifier: Apache-2.0
#include "pass/library_code.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <vector>

namespace heddle::pass {
namespace {

// Operators, accessors, locks and what wraps a function of the library; not the
// algorithms of containers. In the units of LLVM's estimate, five an instruction.
constexpr int kMostCost = 500;

bool is_library_function(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  return program && is_library_file(program->getFilename());
}

bool can_be_inlined(const llvm::Function& function) {
  return !function.isDeclaration() && !function.isInterposable() && !function.isVarArg() &&
         !function.isPresplitCoroutine() && !function.hasFnAttribute(llvm::Attribute::ReturnsTwice) &&
         is_library_function(function);
}

// With what is known of the arguments of this call.
bool is_cheap(llvm::CallBase& call, const llvm::Function& callee) {
  llvm::TargetTransformInfo any_target(callee.getParent()->getDataLayout());
  std::optional<llvm::AssumptionCache> assumptions;
  const auto no_assumptions = [&](llvm::Function& function) -> llvm::AssumptionCache& {
    return assumptions.emplace(function);
  };
  const std::optional<int> cost = llvm::getInliningCostEstimate(call, any_target, no_assumptions);
  return cost && *cost <= kMostCost;
}

bool is_decided(const llvm::Instruction& last) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&last))
    return branch->isConditional() && llvm::isa<llvm::ConstantInt>(branch->getCondition());
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&last);
  return choice && llvm::isa<llvm::ConstantInt>(choice->getCondition());
}

// An atomic operation whose order is an argument has code for every order; once the order is known, one is left.
void drop_code_that_cannot_be_reached(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    if (is_decided(*block.getTerminator())) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  llvm::EliminateUnreachableBlocks(function);
}

void inline_into(llvm::Function& caller) {
  drop_code_that_cannot_be_reached(caller);
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(caller)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee != &caller && call->getDebugLoc() && can_be_inlined(*callee) && is_cheap(*call, *callee))
      calls.push_back(call);
  }
  for (llvm::CallBase* call : calls) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  }
  drop_code_that_cannot_be_reached(caller);
}

void remove_unused(llvm::Module& module) {
  std::vector<llvm::Function*> unused;
  do {
    unused.clear();
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && function.isDiscardableIfUnused() && function.use_empty() &&
          is_library_function(function))
        unused.push_back(&function);
    for (llvm::Function* function : unused) function->eraseFromParent();
  } while (!unused.empty());
}

}  // namespace

bool is_library_file(llvm::StringRef path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") || path.contains("/include/c++/") ||
         path.starts_with("heddle/models/");
}

void inline_library_functions(llvm::Module& module) {
  {
    llvm::CallGraph graph(module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
      for (llvm::CallGraphNode* node : *component)
        if (llvm::Function* function = node->getFunction(); function && !function->isDeclaration())
          inline_into(*function);
  }
  remove_unused(module);
}

void move_places_to_the_program(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* place = instruction.getDebugLoc().get();
      while (place && place->getInlinedAt() && is_library_file(place->getFilename())) place = place->getInlinedAt();
      if (place != instruction.getDebugLoc().get()) instruction.setDebugLoc(llvm::DebugLoc(place));
    }
  }
}

}  // namespace heddle::pass
