// SPDX-License-Identifier: Apache-2.0
#include "pass/recording.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <optional>

#include "abi/version.h"
#include "pass/core_marks.h"
#include "pass/preparation.h"
#include "pass/read_values.h"
#include "pass/recorded_calls.h"
#include "pass/site_lines.h"
#include "pass/way_marks.h"

namespace heddle::pass {
namespace {

// Where something can go wrong, the way forks, or memory is named: these have places in reports.
bool has_place(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
         instruction.mayReadOrWriteMemory() || instruction.isTerminator() || instruction.isIntDivRem();
}

void name_places(Rewriter& r) {
  for (const llvm::Function& function : r.module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (has_place(instruction) && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
        r.site(instruction, llvm::getPointerOperand(&instruction));
}

}  // namespace

void prepare_recorded_code(llvm::Module& module) {
  drop_own_bodies(module);
  prepare_code(module, CodeForm::kRegisters);
  keep_inline_functions_to_the_program(module);
}

base::Result<RecordedProgram> instrument_for_recording(llvm::Module& module, const RecordingOptions& options) {
  const llvm::Function* main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return base::Error{"the program has no main function", "give all its sources, or the linked program"};
  prepare_recorded_code(module);
  const InstrumentOptions none;
  Rewriter r(module, none);
  r.number_instructions();
  name_places(r);
  set_site_lines(module, [&](const llvm::Instruction& instruction) { return r.site_number(instruction); });

  RecordedProgram program;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::Naked)) continue;
    functions.push_back(&function);
    program.functions.push_back(function.getName().str());
  }
  PathBits bits(module);
  RecordedCalls calls(r, bits);
  CoreMarks marks(r);
  WayMarks way_marks(module);
  std::optional<ReadValues> values;
  if (options.keeps_values) values.emplace(r, bits);
  for (llvm::Function* function : functions) {
    std::vector<llvm::CallBase*> original;
    for (llvm::Instruction& instruction : llvm::instructions(*function)) {
      if (llvm::isa<llvm::CallBrInst>(instruction))
        return base::Error{"not supported: the program has assembly that jumps (asm goto)", ""};
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) original.push_back(call);
    }
    std::vector<llvm::Instruction*> stores;
    if (options.marks_cores || options.marks_ways) stores = marks.shared_stores(*function);
    std::vector<llvm::Instruction*> reads;
    if (values) reads = values->shared_reads(*function);
    if (options.marks_ways) {
      for (llvm::Instruction* store : stores) way_marks.add_store(*store, r.site_number(*store));
      auto marked =
          way_marks.add(*function, [&](const llvm::Instruction& instruction) { return r.site_number(instruction); });
      if (!marked) return marked.error();
      program.branches += *marked;
    } else {
      program.branches += bits.add(*function, [&](const llvm::CallBase& call) { return calls.may_record(call); });
    }
    for (llvm::CallBase* call : original) calls.rewrite(*call);
    if (!options.marks_ways)
      for (llvm::Instruction* store : stores) marks.add(*store);
    for (llvm::Instruction* read : reads) values->add(*read);
  }
  program.inputs = calls.inputs();
  new llvm::GlobalVariable(module, r.i32, true, llvm::GlobalValue::ExternalLinkage,
                           r.number(HEDDLE_INSTRUMENTATION_VERSION), "__heddle_program_version");

  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream))
    return base::Error{"internal error: instrumented code is not valid: " + problems, ""};
  program.places = std::move(r.report.places);
  std::sort(program.places.begin(), program.places.end(),
            [](const SitePlace& a, const SitePlace& b) { return a.site < b.site; });
  program.unknown_functions.assign(r.unknown.begin(), r.unknown.end());
  return program;
}

}  // namespace heddle::pass
