// SPDX-License-Identifier: Apache-2.0
//
// Calls and returns: arguments and results carry their terms; code without bitcode
// gives what it gave.
#include <llvm/IR/IntrinsicInst.h>

#include "symbolic/walk.h"

namespace heddle::symbolic {

void Walk::enter(const llvm::Function& function, const llvm::CallBase* call) {
  Frame frame;
  frame.function = &function;
  frame.call = call;
  frame.block = &function.getEntryBlock();
  frame.next = frame.block->begin();
  frame.first_site = state_.program.site(*frame.block->getFirstNonPHIOrDbg());
  uint32_t simple = 0;
  for (const llvm::Argument& argument : function.args()) simple += state_.width_of(argument.getType()) > 0;
  const std::vector<std::optional<uint64_t>> told = source().enter(frame.first_site, simple);
  if (is_over()) return;
  uint32_t next = 0;
  for (const llvm::Argument& argument : function.args()) {
    const unsigned width = state_.width_of(argument.getType());
    const std::optional<uint64_t> value = width && next < told.size() ? told[next++] : std::nullopt;
    Register given(state_.parts_of(argument.getType()));
    if (call && argument.getArgNo() < call->arg_size() && !argument.hasByValAttr())
      given = state_.register_of(call->getArgOperand(argument.getArgNo()));
    if (width && !given[0] && value) given = {state_.terms.constant(width, *value)};
    if (width && given[0] && value && state_.terms.observed(*given[0]) != *value) return lose("an argument differs");
    frame.registers[&argument] = std::move(given);
  }
  state_.frames.push_back(std::move(frame));
}

void Walk::leave(const llvm::ReturnInst& back) {
  Register result;
  if (const llvm::Value* value = back.getReturnValue()) result = state_.register_of(value);
  source().leave(frame().first_site);
  if (is_over()) return;
  const llvm::CallBase* call = frame().call;
  if (state_.is_detour && !call) {  // the thread would end
    state_.is_stuck = true;
    return;
  }
  // Nobody knows what becomes of it outside.
  if (!call)
    for (const std::optional<Term>& part : result)
      if (part) state_.hold(*part, state_.program.site(back));
  state_.frames.pop_back();
  if (!call) return;
  state_.was_asked = false;
  finish_call(*call, std::move(result));
}

void Walk::finish_call(const llvm::CallBase& call, Register result) {
  if (result.size() != state_.parts_of(call.getType())) result.assign(state_.parts_of(call.getType()), std::nullopt);
  settle(call, std::move(result));
  if (is_over()) return;
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) go_to(*invoke->getNormalDest());
}

void Walk::call(const llvm::CallBase& call) {
  Register result(state_.parts_of(call.getType()));
  if (llvm::isa<llvm::IntrinsicInst>(call)) {
    if (call.getType()->isVoidTy()) return;
    if (!compute_intrinsic(state_, call, result)) hold(call, result);
    return finish_call(call, std::move(result));
  }
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) return lose("setjmp");
  if (call.isMustTailCall()) return lose("a call that does not come back");
  const llvm::Function* function = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (!function && !call.isInlineAsm()) {
    const std::optional<uint64_t> address = state_.address_of(call.getCalledOperand(), state_.program.site(call));
    function = called_through_pointer(address);
  }
  if (!function || function->isDeclaration()) return call_outside(call, function);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.isByValArgument(i)) return lose("an argument that is a copy of memory");
    if (i < function->arg_size()) continue;
    for (const std::optional<Term>& part : state_.register_of(call.getArgOperand(i)))
      if (part) state_.hold(*part, state_.program.site(call));
  }
  enter(*function, &call);
}

const llvm::Function* Walk::called_through_pointer(std::optional<uint64_t> address) {
  const std::optional<uint32_t> first = source().next_function();
  const llvm::Function* function = first ? state_.program.functions.lookup(*first) : nullptr;
  if (!function || !address) return function;
  const auto known = state_.program.globals.find(function->getName().str());
  return known == state_.program.globals.end() || known->second == *address ? function : nullptr;
}

void Walk::call_outside(const llvm::CallBase& call, const llvm::Function* function) {
  if (state_.is_detour)
    return state_.stick(function ? "a call of " + function->getName().str() : "a call through a pointer");
  const uint32_t site = state_.program.site(call);
  bool sees_private = false;
  for (const llvm::Use& argument : call.args())
    sees_private |= argument->getType()->isPointerTy() && !llvm::isa<llvm::Constant>(argument);
  if (sees_private && !state_.memory.is_empty()) {
    state_.hold_everything(site);
    state_.memory.forget();
  }
  state_.hold_operands(call);
  const bool gives = state_.program.has_value.contains(&call);
  Register result(state_.parts_of(call.getType()));
  OutsideCall outside{site, function ? function->getName().str() : "", {}, gives};
  for (const llvm::Use& argument : call.args()) outside.arguments.push_back(state_.term_of(argument));
  for (const HeddleRecord& record : source().outside(outside)) {
    state_.add_as_it_was(record);
    if (record.kind == HEDDLE_ALLOC && call.getType()->isPointerTy())
      result = {state_.terms.constant(64, record.address)};
  }
  if (is_over()) return;
  if (call.doesNotReturn()) return state_.frames.clear();  // whatever follows begins anew
  ++state_.statistics.held;
  finish_call(call, std::move(result));
}

}  // namespace heddle::symbolic
