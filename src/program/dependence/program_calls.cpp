// SPDX-License-Identifier: Apache-2.0
//
// Calls, for the points-to analysis: arguments go to parameters, results come
// back; functions without bitcode do what external_functions.h says.
#include <llvm/IR/InlineAsm.h>

#include "program/dependence/program_pointers.h"

namespace heddle::program {
namespace {

uint64_t constant_size(const llvm::CallBase& call) {
  const auto* size = call.arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
  return size ? size->getZExtValue() : kUnknownSize;
}

constexpr size_t kManyCallees = 16;

bool fits_group(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.isDeclaration() || callee.isVarArg() || call.getFunctionType() != callee.getFunctionType()) return false;
  return llvm::none_of(callee.args(), [](const llvm::Argument& argument) { return argument.hasByValAttr(); });
}

}  // namespace

void ProgramPointers::add_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(transfer->getLength());
    return copy_contents(node(transfer->getRawDest()), node(transfer->getRawSource()),
                         size ? size->getZExtValue() : kUnknownSize);
  }
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::vastart: {
      const PointerNode list = solver_.add_node();
      solver_.add_move(node(intrinsic.getArgOperand(0)), list, Step::kUnknown, 0);
      const ObjectId unnamed = unnamed_.lookup(intrinsic.getFunction());
      return solver_.add_store(list, address_node(locations_.anywhere(unnamed)), kUnknownSize);
    }
    case llvm::Intrinsic::vacopy:
      return copy_contents(node(intrinsic.getArgOperand(0)), node(intrinsic.getArgOperand(1)), kUnknownSize);
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::ptr_annotation: return solver_.add_copy(node(intrinsic.getArgOperand(0)), node(&intrinsic));
    default: break;
  }
  if (intrinsic.getCalledFunction()->getName().starts_with("llvm.x86.")) return bind_unknown(intrinsic);
  if (intrinsic.getType()->isVoidTy()) return;
  for (const llvm::Use& argument : intrinsic.args())
    if (!llvm::isa<llvm::MetadataAsValue>(argument))
      solver_.add_move(node(argument), node(&intrinsic), Step::kUnknown, 0);
}

void ProgramPointers::add_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return add_intrinsic(*intrinsic);
  if (call.isInlineAsm()) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    if (!llvm::StringRef(assembly->getAsmString()).trim().empty()) return bind_unknown(call);
    // An empty text is an order for the compiler; results are operands.
    for (const llvm::Use& argument : call.args()) solver_.add_copy(node(argument), node(&call));
    return;
  }
  const llvm::Value* called = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* callee = llvm::dyn_cast<llvm::Function>(called)) return bind(call, *callee);
  indirect_calls_.push_back(&call);
  solver_.add_call(node(called),
                   [this, &call](const llvm::Function* callee) { callee ? bind(call, *callee) : bind_unknown(call); });
}

// Nothing is known to be called: the pointer was made in a way that is not followed.
bool ProgramPointers::bind_lost_calls() {
  bool any = false;
  for (const llvm::CallBase* call : indirect_calls_) {
    if (!callees(*call).empty() || calls_unknown(*call)) continue;
    bind_unknown(*call);
    any = true;
  }
  return any;
}

void ProgramPointers::bind(const llvm::CallBase& call, const llvm::Function& callee) {
  auto& known = callees_[&call];
  if (llvm::is_contained(known, &callee)) return;
  if (known.size() >= kManyCallees && fits_group(call, callee)) return bind_group(call, callee);
  known.push_back(&callee);
  if (!callee.isDeclaration()) return bind_defined(call, callee);
  bind_external(call, external(callee));
}

const ExternalFunction& ProgramPointers::external(const llvm::Function& function) const {
  const ExternalFunction*& known = externals_[&function];
  if (!known) known = &external_function(function.getName());
  return *known;
}

void ProgramPointers::bind_group(const llvm::CallBase& call, const llvm::Function& callee) {
  const auto [found, is_new] = groups_.try_emplace(call.getFunctionType());
  CalleeGroup& group = found->second;
  if (is_new) {
    for (unsigned i = 0; i < call.arg_size(); ++i) group.parameters.push_back(solver_.add_node());
    group.result = solver_.add_node();
  }
  if (grouped_calls_.insert(&call).second) {
    for (unsigned i = 0; i < call.arg_size(); ++i) solver_.add_copy(node(call.getArgOperand(i)), group.parameters[i]);
    solver_.add_copy(group.result, node(&call));
  }
  if (!grouped_functions_.insert(&callee).second) return;
  group.members.push_back(&callee);
  for (const llvm::Argument& parameter : callee.args())
    solver_.add_copy(group.parameters[parameter.getArgNo()], node(&parameter));
  solver_.add_copy(result_of(&callee), group.result);
}

const CalleeGroup* ProgramPointers::group(const llvm::CallBase& call) const {
  return grouped_calls_.contains(&call) ? &groups_.find(call.getFunctionType())->second : nullptr;
}

void ProgramPointers::bind_defined(const llvm::CallBase& call, const llvm::Function& callee) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const PointerNode passed = node(call.getArgOperand(i));
    if (i >= callee.arg_size()) {
      if (const auto unnamed = unnamed_.find(&callee); unnamed != unnamed_.end())
        solver_.add_store(address_node(locations_.anywhere(unnamed->second)), passed, kUnknownSize);
      continue;
    }
    const llvm::Argument* parameter = callee.getArg(i);
    if (parameter->hasByValAttr()) {
      copy_contents(node(parameter), passed, layout_.getTypeAllocSize(parameter->getParamByValType()));
    } else {
      solver_.add_copy(passed, node(parameter));
    }
  }
  if (!call.getType()->isVoidTy()) solver_.add_copy(result_of(&callee), node(&call));
}

void ProgramPointers::bind_unknown(const llvm::CallBase& call) {
  if (!unknown_calls_.insert(&call).second) return;
  for (const llvm::Use& argument : call.args())
    if (!llvm::isa<llvm::MetadataAsValue>(argument)) solver_.add_copy(node(argument), outside_);
  if (!call.getType()->isVoidTy()) solver_.add_copy(outside_, node(&call));
  solver_.add_copy(outside_, exceptions_);
}

void ProgramPointers::bind_external(const llvm::CallBase& call, const ExternalFunction& external) {
  if (!external.known) return bind_unknown(call);
  const auto argument = [&](unsigned i) { return i < call.arg_size() ? node(call.getArgOperand(i)) : nothing_; };
  const auto block = [&] {
    const auto [found, is_new] = allocations_.try_emplace(&call, 0);
    if (is_new) found->second = locations_.add(ObjectKind::kHeap, &call, nullptr, constant_size(call));
    return found->second;
  };
  switch (external.returned) {
    case ReturnedPointer::kNone: break;
    case ReturnedPointer::kFresh: solver_.add_address(node(&call), locations_.at(block(), 0)); break;
    case ReturnedPointer::kArgument0: solver_.add_move(argument(0), node(&call), Step::kUnknown, 0); break;
    case ReturnedPointer::kLibrary: solver_.add_address(node(&call), locations_.anywhere(library_)); break;
    case ReturnedPointer::kErrno: solver_.add_address(node(&call), locations_.at(errno_, 0)); break;
    case ReturnedPointer::kKeyValue: solver_.add_copy(key_values_, node(&call)); break;
    case ReturnedPointer::kException:
      solver_.add_copy(exceptions_, node(&call));
      solver_.add_copy(argument(0), node(&call));
      break;
  }
  switch (external.copy) {
    case Copy::kNone: break;
    case Copy::kContents1To0: copy_contents(argument(0), argument(1), kUnknownSize); break;
    case Copy::kContents0ToNew: copy_contents(node(&call), argument(0), kUnknownSize); break;
    case Copy::kPointer0Into1: {
      const PointerNode moved = solver_.add_node();
      solver_.add_move(argument(0), moved, Step::kUnknown, 0);
      solver_.add_store(argument(1), moved, 8);
      break;
    }
  }
  if (external.fresh_through_argument0) solver_.add_store(argument(0), address_node(locations_.at(block(), 0)), 8);
  if (external.keeps_key_value) solver_.add_copy(argument(1), key_values_);
  if (external.gives_thread_result) solver_.add_store(argument(1), thread_results_, 8);
  if (external.throws) {
    for (unsigned i = 0; i < call.arg_size(); ++i) solver_.add_copy(argument(i), exceptions_);
    solver_.add_copy(argument(0), thread_results_);  // pthread_exit
  }
  if (external.callback_time != CallbackTime::kNone) bind_callback(call, external);
}

void ProgramPointers::bind_callback(const llvm::CallBase& call, const ExternalFunction& external) {
  if (external.callback >= call.arg_size()) return;
  solver_.add_call(node(call.getArgOperand(external.callback)),
                   [this, &call, &external](const llvm::Function* function) {
                     if (!function || !known_callbacks_.insert({&call, function}).second) return;
                     callbacks_.push_back({&call, function, &external});
                     const int passed = external.callback_argument;
                     for (const llvm::Argument& parameter : function->args()) {
                       if (passed >= 0 && static_cast<unsigned>(passed) < call.arg_size())
                         solver_.add_copy(node(call.getArgOperand(static_cast<unsigned>(passed))), node(&parameter));
                       if (external.state == HiddenState::kKeys) solver_.add_copy(key_values_, node(&parameter));
                     }
                     if (external.callback_time == CallbackTime::kNewThread)
                       solver_.add_copy(result_of(function), thread_results_);
                   });
}

}  // namespace heddle::program
