// SPDX-License-Identifier: Apache-2.0
//
// Calls in the dependence graph.
#include <llvm/IR/Module.h>

#include "program/dependence/graph_builder.h"

namespace heddle::program {
namespace {

// Such a call may be an operation per word that it reads or writes.
bool acts_on_ranges(const ExternalFunction& external) {
  return !external.known ||
         llvm::any_of(external.accesses, [](const ArgumentAccess& access) { return access.size == 0; });
}

}  // namespace

void GraphBuilder::add_transfer(const llvm::MemIntrinsic& range, const Here& here) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(range.getLength());
  const uint64_t size = length ? length->getZExtValue() : kUnknownSize;
  const NodeId action = new_action(range, here);
  for (const llvm::Use& argument : range.args()) depend_on(action, argument);
  const bool traced_write = !instrumentation_.is_private(range.getRawDest(), false);
  memory_.write(action, pointers_.points_to(range.getRawDest()), size, traced_write);
  const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&range);
  if (!transfer) {
    if (traced_write) add_site(range, action, kNoNode, true, true);
    return;
  }
  const bool traced_read = !instrumentation_.is_private(transfer->getRawSource(), true);
  const NodeId value = value_of(&range);  // what it copies
  depend_on(value, transfer->getRawSource());
  memory_.read(value, pointers_.points_to(transfer->getRawSource()), size, traced_read);
  memory_.write(value, pointers_.points_to(range.getRawDest()), size, traced_write);
  // What an untraced read gives is an operand of the stores.
  if (!traced_read) graph_.add_edge(value, action, EdgeKind::kMemory);
  if (traced_read || traced_write) add_site(range, action, value, true, true);
}

void GraphBuilder::add_intrinsic(const llvm::IntrinsicInst& intrinsic, const Here& here) {
  if (const auto* range = llvm::dyn_cast<llvm::MemIntrinsic>(&intrinsic)) return add_transfer(*range, here);
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::vacopy: {
      const NodeId value = value_of(&intrinsic);
      memory_.read(value, pointers_.points_to(intrinsic.getArgOperand(1)), kUnknownSize, false);
      memory_.write(value, pointers_.points_to(intrinsic.getArgOperand(0)), kUnknownSize, false);
      memory_.write(new_action(intrinsic, here), pointers_.points_to(intrinsic.getArgOperand(0)), kUnknownSize, false);
      return;
    }
    case llvm::Intrinsic::vastart:
      return memory_.write(new_action(intrinsic, here), pointers_.points_to(intrinsic.getArgOperand(0)), kUnknownSize,
                           false);
    default: break;
  }
  if (intrinsic.getType()->isVoidTy()) return;
  for (const llvm::Use& argument : intrinsic.args()) depend_on(value_of(&intrinsic), argument);
}

void GraphBuilder::add_call(const llvm::CallBase& call, const Here& here) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (intrinsic && !pointers_.calls_unknown(call)) return add_intrinsic(*intrinsic, here);
  const NodeId value = value_of(&call), action = new_action(call, here);
  calls_[&call] = {action, value};
  const NodeId decision = here.flow->segments[here.segment].last == &call ? here.decision[here.segment] : kNoNode;
  if (call.isIndirectCall()) {
    depend_on(action, call.getCalledOperand(), EdgeKind::kCall);
    depend_on(value, call.getCalledOperand());
    if (decision != kNoNode) depend_on(decision, call.getCalledOperand());
  }
  bool outside = pointers_.calls_unknown(call), counted = outside;
  for (const llvm::Function* callee : pointers_.callees(call)) {
    if (!callee->isDeclaration()) continue;
    outside = true;
    counted |= acts_on_ranges(pointers_.external(*callee));
  }
  NodeId input = kNoNode;
  if (outside || call.isInlineAsm()) {
    input = graph_.add_node(NodeKind::kInput, &call);
    for (const llvm::Use& argument : call.args()) depend_on(input, argument);
    graph_.add_edge(input, action, EdgeKind::kData);
    graph_.add_edge(input, value, EdgeKind::kData);
    if (decision != kNoNode) graph_.add_edge(value, decision, EdgeKind::kControl);
    add_site(call, action, value, true, counted);
  } else if (call.isIndirectCall()) {
    add_site(call, action, value, true);
  }
  if (pointers_.calls_unknown(call)) add_unknown(action, input, value);
  for (const llvm::Function* callee : pointers_.callees(call)) {
    if (callee->isDeclaration()) {
      const ExternalFunction& external = pointers_.external(*callee);
      if (external.known) add_external(call, external, action, input, value);
    } else {
      add_defined(call, *callee, action, value, decision);
    }
  }
  if (const CalleeGroup* group = pointers_.group(call)) add_grouped(call, *group, action, value, decision);
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) graph_.add_edge(jumps_, value, EdgeKind::kState);
}

void GraphBuilder::add_defined(const llvm::CallBase& call, const llvm::Function& callee, NodeId action, NodeId value,
                               NodeId decision) {
  const FunctionNodes nodes = nodes_of(callee);
  graph_.add_edge(action, nodes.entry, EdgeKind::kCall);
  CallBinding& binding = result_.calls.emplace_back();
  binding.out.push_back({nodes.result, value});
  if (decision != kNoNode) binding.out.append({{nodes.returns, decision}, {nodes.unwinds, decision}});
  for (const auto& [from, to] : binding.out) graph_.add_edge(from, to, EdgeKind::kParameterOut);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value* passed = call.getArgOperand(i);
    if (i >= callee.arg_size()) {
      const auto unnamed = pointers_.unnamed_arguments().find(&callee);
      if (unnamed == pointers_.unnamed_arguments().end()) continue;
      if (const NodeId from = value_of(passed); from != kNoNode) memory_.write_object(from, unnamed->second);
      memory_.write_object(action, unnamed->second);
      continue;
    }
    const llvm::Argument* parameter = callee.getArg(i);
    if (parameter->hasByValAttr()) {
      // The call copies the argument.
      const NodeId copy = graph_.add_node(NodeKind::kInput, &call);
      depend_on(copy, passed);
      memory_.read(copy, pointers_.points_to(passed), layout_.getTypeAllocSize(parameter->getParamByValType()), false);
      memory_.write_object(copy, pointers_.copies().lookup(parameter));
    } else {
      depend_on(value_of(parameter), passed, EdgeKind::kParameterIn);
      if (const NodeId from = value_of(passed); from != kNoNode) binding.in.push_back({from, value_of(parameter), i});
    }
  }
}

// A group is like a function that calls each of its members.
void GraphBuilder::add_grouped(const llvm::CallBase& call, const CalleeGroup& group, NodeId action, NodeId value,
                               NodeId decision) {
  const auto [found, is_new] = groups_.try_emplace(&group);
  GroupNodes& nodes = found->second;
  const auto bind = [&](CallBinding binding) {
    for (const CallBinding::In& in : binding.in) graph_.add_edge(in.argument, in.parameter, EdgeKind::kParameterIn);
    for (const auto& [from, to] : binding.out) graph_.add_edge(from, to, EdgeKind::kParameterOut);
    result_.calls.push_back(std::move(binding));
  };
  if (is_new) {
    nodes.entry = graph_.add_node(NodeKind::kEntry, nullptr);
    nodes.result = graph_.add_node(NodeKind::kResult, nullptr);
    nodes.comes_back = graph_.add_node(NodeKind::kReturns, nullptr);
    for (unsigned i = 0; i < call.arg_size(); ++i)
      nodes.parameters.push_back(graph_.add_node(NodeKind::kParameter, nullptr));
    for (const llvm::Function* member : group.members) {
      const FunctionNodes inner = nodes_of(*member);
      graph_.add_edge(nodes.entry, inner.entry, EdgeKind::kCall);
      CallBinding binding;
      for (unsigned i = 0; i < call.arg_size(); ++i)
        binding.in.push_back({nodes.parameters[i], value_of(member->getArg(i)), i});
      binding.out.append(
          {{inner.result, nodes.result}, {inner.returns, nodes.comes_back}, {inner.unwinds, nodes.comes_back}});
      bind(std::move(binding));
    }
  }
  graph_.add_edge(action, nodes.entry, EdgeKind::kCall);
  CallBinding binding;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (const NodeId from = value_of(call.getArgOperand(i)); from != kNoNode)
      binding.in.push_back({from, nodes.parameters[i], i});
  binding.out.push_back({nodes.result, value});
  if (decision != kNoNode) binding.out.push_back({nodes.comes_back, decision});
  bind(std::move(binding));
}

void GraphBuilder::add_unknown(NodeId action, NodeId input, NodeId value) {
  graph_.add_edge(outside_read_, input, EdgeKind::kMemory);
  for (const NodeId node : {action, value}) {
    graph_.add_edge(node, outside_written_, EdgeKind::kMemory);
    graph_.add_edge(node, states_[static_cast<size_t>(HiddenState::kOutside)], EdgeKind::kState);
    graph_.add_edge(node, exceptions_, EdgeKind::kState);
    graph_.add_edge(node, jumps_, EdgeKind::kState);
    graph_.add_edge(node, later_, EdgeKind::kState);
    memory_.write_object(node, pointers_.errno_object());
  }
  graph_.add_edge(states_[static_cast<size_t>(HiddenState::kOutside)], value, EdgeKind::kState);
}

void GraphBuilder::add_external(const llvm::CallBase& call, const ExternalFunction& external, NodeId action,
                                NodeId input, NodeId value) {
  for (const ArgumentAccess& access : external.accesses) {
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      if (access.argument != kAllArguments && access.argument != i) continue;
      const LocationSet& locations = pointers_.points_to(call.getArgOperand(i));
      const uint64_t size = access.size ? access.size : kUnknownSize;
      if (!access.write) {
        memory_.read(input, locations, size, false);
        continue;
      }
      memory_.write(action, locations, size, false);
      memory_.write(value, locations, size, false);
    }
  }
  if (external.copy == Copy::kContents0ToNew) memory_.write(value, pointers_.points_to(&call), kUnknownSize, false);
  if (external.state != HiddenState::kNone) {
    const NodeId state = states_[static_cast<size_t>(external.state)];
    graph_.add_edge(action, state, EdgeKind::kState);
    graph_.add_edge(state, value, EdgeKind::kState);
    if (external.state == HiddenState::kOutside) memory_.write_object(action, pointers_.library_object());
  }
  const auto leads_to = [&](bool applies, NodeId state) {
    if (applies) graph_.add_edge(action, state, EdgeKind::kState);
  };
  leads_to(external.throws, exceptions_);
  leads_to(external.jumps, jumps_);
  leads_to(external.ends_something, later_);
  if (external.ends_something) graph_.add_edge(later_, value, EdgeKind::kState);
  if (external.returned == ReturnedPointer::kErrno) return;
  memory_.write_object(action, pointers_.errno_object());
  memory_.write_object(value, pointers_.errno_object());
}

void GraphBuilder::add_callbacks() {
  NodeId joined = kNoNode;
  for (const Callback& callback : pointers_.callbacks()) {
    if (callback.function->isDeclaration()) continue;
    const FunctionNodes nodes = nodes_of(*callback.function);
    const auto [action, value] = calls_.lookup(callback.call);
    const bool thread = callback.by->callback_time == CallbackTime::kNewThread;
    const EdgeKind kind = thread ? EdgeKind::kThread : EdgeKind::kCall;
    graph_.add_edge(action, nodes.entry, kind);
    graph_.add_edge(value, nodes.entry, kind);  // pthread_once: whether it is called
    if (callback.by->callback_time == CallbackTime::kLater) graph_.add_edge(later_, nodes.entry, EdgeKind::kState);
    // What does not come back keeps others from running.
    if (callback.by->callback_time != CallbackTime::kAtOnce)
      for (const NodeId end : {nodes.returns, nodes.unwinds}) graph_.add_edge(end, later_, EdgeKind::kState);
    for (const llvm::Argument& parameter : callback.function->args()) {
      const NodeId to = value_of(&parameter);
      const int passed = callback.by->callback_argument;
      if (passed >= 0 && static_cast<unsigned>(passed) < callback.call->arg_size())
        depend_on(to, callback.call->getArgOperand(static_cast<unsigned>(passed)),
                  thread ? EdgeKind::kThread : EdgeKind::kParameterIn);
      if (!thread) graph_.add_edge(later_, to, EdgeKind::kState);
      if (callback.by->state != HiddenState::kNone)
        graph_.add_edge(states_[static_cast<size_t>(callback.by->state)], to, EdgeKind::kState);
    }
    // What it does, and whether it comes back, decides how the call goes on.
    if (callback.by->callback_time == CallbackTime::kAtOnce)
      for (const NodeId end : {nodes.returns, nodes.unwinds, nodes.result})
        graph_.add_edge(end, value, EdgeKind::kState);
    if (!thread) continue;
    if (joined == kNoNode) joined = graph_.add_node(NodeKind::kState, nullptr);
    graph_.add_edge(nodes.result, joined, EdgeKind::kThread);
  }
  if (joined == kNoNode) return;
  for (const auto& [call, nodes] : calls_)
    for (const llvm::Function* callee : pointers_.callees(*call))
      if (callee->isDeclaration() && pointers_.external(*callee).gives_thread_result)
        graph_.add_edge(joined, nodes.second, EdgeKind::kThread);
}

// Constructors run before main, one after the other; destructors when the program ends.
void GraphBuilder::add_starts_and_ends() {
  const NodeId begun = graph_.add_node(NodeKind::kState, nullptr);
  const auto each = [&](const char* list, const auto& action) {
    const llvm::GlobalVariable* variable = module_.getGlobalVariable(list);
    const auto* items = variable && variable->hasInitializer()
                            ? llvm::dyn_cast<llvm::ConstantArray>(variable->getInitializer())
                            : nullptr;
    if (!items) return;
    for (const llvm::Value* item : items->operands()) {
      const llvm::Value* called = llvm::cast<llvm::ConstantStruct>(item)->getOperand(1)->stripPointerCasts();
      const auto* function = llvm::dyn_cast<llvm::Function>(called);
      if (function && !function->isDeclaration()) action(nodes_of(*function));
    }
  };
  each("llvm.global_ctors", [&](const FunctionNodes& nodes) {
    graph_.add_edge(begun, nodes.entry, EdgeKind::kState);
    for (const NodeId end : {nodes.returns, nodes.unwinds}) graph_.add_edge(end, begun, EdgeKind::kState);
  });
  each("llvm.global_dtors", [&](const FunctionNodes& nodes) {
    graph_.add_edge(later_, nodes.entry, EdgeKind::kState);
    for (const NodeId end : {nodes.returns, nodes.unwinds}) graph_.add_edge(end, later_, EdgeKind::kState);
  });
  if (const llvm::Function* main = module_.getFunction("main"); main && !main->isDeclaration())
    graph_.add_edge(begun, nodes_of(*main).entry, EdgeKind::kState);
}

// Memory that unknown code may reach, and functions it may call.
void GraphBuilder::add_outside() {
  memory_.read(outside_read_, pointers_.outside(), kUnknownSize, false);
  memory_.write(outside_written_, pointers_.outside(), kUnknownSize, false);
  const NodeId state = states_[static_cast<size_t>(HiddenState::kOutside)];
  for (const llvm::Function* function : pointers_.called_from_outside()) {
    if (function->isDeclaration()) continue;
    const FunctionNodes nodes = nodes_of(*function);
    graph_.add_edge(state, nodes.entry, EdgeKind::kState);
    graph_.add_edge(later_, nodes.entry, EdgeKind::kState);
    for (const NodeId end : {nodes.returns, nodes.unwinds}) graph_.add_edge(end, later_, EdgeKind::kState);
    for (const llvm::Argument& parameter : function->args()) {
      graph_.add_edge(state, value_of(&parameter), EdgeKind::kState);
      graph_.add_edge(outside_read_, value_of(&parameter), EdgeKind::kMemory);
    }
    for (const NodeId end : {nodes.result, nodes.returns, nodes.unwinds}) graph_.add_edge(end, state, EdgeKind::kState);
  }
}

}  // namespace heddle::program
