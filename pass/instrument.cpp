// SPDX-License-Identifier: Apache-2.0
#include "pass/instrument.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "pass/preparation.h"
#include "pass/rewriter.h"

namespace heddle::pass {
namespace {

// Where a local's life ends before its function does, its place on the stack
// would be given to another, which a store that is still in a buffer would then hit.
void drop_lifetimes(llvm::Module& module) {
  std::vector<llvm::Instruction*> markers;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.isLifetimeStartOrEnd()) markers.push_back(&instruction);
  for (llvm::Instruction* marker : markers) marker->eraseFromParent();
}

void rewrite_instruction(Rewriter& rewriter, llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return rewrite_load(rewriter, *load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return rewrite_store(rewriter, *store);
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return rewrite_rmw(rewriter, *rmw);
  if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return rewrite_cas(rewriter, *cas);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return rewrite_fence(rewriter, *fence);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return rewrite_call(rewriter, *call);
  if (auto* resume = llvm::dyn_cast<llvm::ResumeInst>(&instruction)) return rewrite_resume(rewriter, *resume);
}

// Hooks of records let addresses go where they did not go before. So what is
// private must be known before there are any.
void settle_what_is_private(Rewriter& rewriter, llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        rewriter.escape.is_private(load->getPointerOperand(), true);
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        rewriter.escape.is_private(store->getPointerOperand(), false);
      if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        rewriter.escape.is_private(range->getDest(), false);
      if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
        rewriter.escape.is_private(copy->getSource(), true);
    }
  }
}

base::Result<void> prepare_and_number(Rewriter& rewriter, llvm::Module& module, const InstrumentOptions& options) {
  const llvm::Function* main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return base::Error{"the program has no main function", "give all its sources, or the linked program"};
  drop_own_bodies(module);
  prepare_code(module, options.optimise ? CodeForm::kOptimised : CodeForm::kRegisters);
  keep_inline_functions_to_the_program(module);
  rewriter.number_instructions();
  if (options.inspect) {
    Escape escape;  // the rewriter asks its own as the code changes
    options.inspect({module, [&](const llvm::Instruction& instruction) { return rewriter.site_number(instruction); },
                     [&](const llvm::Value* pointer, bool load) { return escape.is_private(pointer, load); },
                     [&](const llvm::Instruction& instruction) { return has_value(instruction, escape); }});
  }
  return {};
}

}  // namespace

base::Result<void> number(llvm::Module& module, const InstrumentOptions& options) {
  Rewriter rewriter(module, options);
  return prepare_and_number(rewriter, module, options);
}

base::Result<InstrumentReport> instrument(llvm::Module& module, const InstrumentOptions& options) {
  Rewriter rewriter(module, options);
  if (auto numbered = prepare_and_number(rewriter, module, options); !numbered) return numbered.error();
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  // Which locals escape must be known before the code that shows it changes.
  for (llvm::Function* function : functions) announce_locals(rewriter, *function);
  if (options.values) settle_what_is_private(rewriter, module);
  for (llvm::Function* function : functions) add_local_records(rewriter, *function);
  for (llvm::Function* function : functions) {
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(*function))
      if (rewriter.site_number(instruction)) instructions.push_back(&instruction);
    for (llvm::Instruction* instruction : instructions) rewrite_instruction(rewriter, *instruction);
  }
  drop_lifetimes(module);
  if (!rewriter.failure.empty()) return base::Error{"not supported: the program has " + rewriter.failure, ""};
  rewrite_program_entry(rewriter);

  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream))
    return base::Error{"internal error: instrumented code is not valid: " + problems, ""};
  InstrumentReport& report = rewriter.report;
  std::sort(report.places.begin(), report.places.end(),
            [](const SitePlace& a, const SitePlace& b) { return a.site < b.site; });
  report.unknown_functions.assign(rewriter.unknown.begin(), rewriter.unknown.end());
  report.outside_functions.assign(rewriter.outside.begin(), rewriter.outside.end());
  return std::move(report);
}

}  // namespace heddle::pass
