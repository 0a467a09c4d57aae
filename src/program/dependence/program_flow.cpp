// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/program_flow.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "program/dependence/components.h"

namespace heddle::program {
namespace {

// Divisions, and locals of unknown size, may end the program.
bool may_trap(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem: {
      const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      return !divisor || divisor->isZero() || divisor->isMinusOne();
    }
    case llvm::Instruction::Alloca: return llvm::cast<llvm::AllocaInst>(instruction).isArrayAllocation();
    default: return false;
  }
}

}  // namespace

ProgramFlow::ProgramFlow(const llvm::Module& module, const ProgramPointers& pointers) : pointers_(pointers) {
  const llvm::Function* cancel = module.getFunction("pthread_cancel");
  has_cancellation_ = cancel && !cancel->use_empty();
  for (const Callback& callback : pointers.callbacks())
    if (callback.by->callback_time == CallbackTime::kAtOnce) called_back_[callback.call].push_back(callback.function);
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    find_loops(function);
    find_own_ends(function);
  }
  find_recursion(module);
  // Callers of what may not come back may not come back.
  bool changed = true;
  while (changed) {
    changed = false;
    for (const llvm::Function& function : module)
      if (!function.isDeclaration()) changed |= update(function);
  }
}

void ProgramFlow::find_loops(const llvm::Function& const_function) {
  auto& function = const_cast<llvm::Function&>(const_function);  // the analyses want it so; they change nothing
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> back;
  llvm::FindFunctionBackedges(function, back);
  if (back.empty()) return;
  const llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::TargetLibraryInfoImpl library_implementation(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo library(library_implementation, &function);
  llvm::AssumptionCache assumptions(function);
  llvm::ScalarEvolution evolution(function, library, assumptions, const_cast<llvm::DominatorTree&>(dominators), loops);
  for (const auto& [from, head] : back) {
    const llvm::Loop* loop = loops.getLoopFor(head);
    const bool natural = loop && loop->getHeader() == head && loop->contains(from);
    if (!natural || llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(loop)))
      endless_.insert(head);
    if (endless_.contains(head)) may_end_.insert(&function);
  }
}

void ProgramFlow::find_recursion(const llvm::Module& module) {
  std::vector<const llvm::Function*> functions;
  llvm::DenseMap<const llvm::Function*, uint32_t> number;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    number[&function] = static_cast<uint32_t>(functions.size());
    functions.push_back(&function);
  }
  std::vector<std::vector<uint32_t>> calls(functions.size());
  const auto add = [&](const llvm::CallBase* call, const llvm::Function* callee) {
    if (!callee->isDeclaration()) calls[number[call->getFunction()]].push_back(number[callee]);
  };
  for (const llvm::Function* function : functions)
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        for (const llvm::Function* callee : pointers_.callees(*call)) add(call, callee);
        if (const CalleeGroup* group = pointers_.group(*call))
          for (const llvm::Function* callee : group->members) add(call, callee);
        if (!pointers_.calls_unknown(*call)) continue;
        for (const llvm::Function* callee : pointers_.called_from_outside()) add(call, callee);
      }
  for (const Callback& callback : pointers_.callbacks())
    if (callback.by->callback_time != CallbackTime::kNewThread) add(callback.call, callback.function);
  const Components components = strong_components(
      static_cast<uint32_t>(functions.size()), [&](uint32_t node) { return calls[node].size(); },
      [&](uint32_t node, size_t i) { return calls[node][i]; });
  for (uint32_t caller = 0; caller < functions.size(); ++caller)
    for (const uint32_t callee : calls[caller])
      if (components.of[caller] == components.of[callee]) may_end_.insert(functions[caller]);
}

ProgramFlow::Stop ProgramFlow::stop_of_external(const llvm::CallBase& call, const ExternalFunction& external) const {
  Stop stop;
  const bool cancelled = external.may_cancel && has_cancellation_;
  stop.comes_back = external.comeback != Comeback::kNever;
  stop.unwinds = (external.throws || cancelled) && !call.doesNotThrow();
  // What throws ends in no other way, unless nothing is known about it.
  stop.ends = cancelled || (external.comeback != Comeback::kAlways && !(external.known && stop.unwinds));
  return stop;
}

ProgramFlow::Stop ProgramFlow::stop_at(const llvm::Instruction& instruction) const {
  Stop stop;
  if (may_trap(instruction)) stop.ends = true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return stop;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
    stop.comes_back = !intrinsic->doesNotReturn();
    stop.ends = !stop.comes_back;
    return stop;
  }
  const auto include = [&](const Stop& other) {
    stop.ends |= other.ends;
    stop.unwinds |= other.unwinds;
    stop.comes_back |= other.comes_back;
  };
  stop.comes_back = false;
  const bool empty_assembly = call->isInlineAsm() && !pointers_.calls_unknown(*call);
  for (const llvm::Function* callee : pointers_.callees(*call)) {
    if (callee->isDeclaration()) {
      include(stop_of_external(*call, pointers_.external(*callee)));
    } else {
      include({true, may_end_.contains(callee), may_unwind_.contains(callee) && !call->doesNotThrow()});
    }
  }
  if (const CalleeGroup* group = pointers_.group(*call))
    for (const llvm::Function* callee : group->members)
      include({true, may_end_.contains(callee), may_unwind_.contains(callee) && !call->doesNotThrow()});
  if (pointers_.calls_unknown(*call)) include({true, true, !call->doesNotThrow()});
  if (const auto called_back = called_back_.find(call); called_back != called_back_.end())
    for (const llvm::Function* function : called_back->second)
      include({true, may_end_.contains(function), may_unwind_.contains(function)});
  if (empty_assembly) stop.comes_back = true;
  if (call->doesNotReturn()) stop.comes_back = false;
  if (!stop.comes_back && !stop.unwinds) stop.ends = true;
  return stop;
}

void ProgramFlow::find_own_ends(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::UnreachableInst>(instruction) || may_trap(instruction)) may_end_.insert(&function);
    if (llvm::isa<llvm::ResumeInst>(instruction) && !function.doesNotThrow()) may_unwind_.insert(&function);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && !llvm::isa<llvm::IntrinsicInst>(call)) calls_of_[&function].push_back(call);
  }
}

bool ProgramFlow::update(const llvm::Function& function) {
  bool ends = may_end_.contains(&function), unwinds = may_unwind_.contains(&function) || function.doesNotThrow();
  if (ends && unwinds) return false;
  const bool ended = ends, unwound = unwinds;
  for (const llvm::CallBase* call : calls_of_[&function]) {
    const Stop stop = stop_at(*call);
    ends |= stop.ends;
    unwinds |= stop.unwinds && !llvm::isa<llvm::InvokeInst>(call);
    if (ends && unwinds) break;
  }
  if (ends && !ended) may_end_.insert(&function);
  if (unwinds && !unwound) may_unwind_.insert(&function);
  return ends != ended || unwinds != unwound;
}

}  // namespace heddle::program
