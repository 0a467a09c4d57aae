// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/graph_builder.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::program {
namespace {

// Accesses that are no single operation: where they lie decides how many they are.
bool goes_in_pieces(const llvm::Type* type, const llvm::DataLayout& layout) {
  return !type->isSingleValueType() || type->isVectorTy() || layout.getTypeStoreSize(const_cast<llvm::Type*>(type)) > 8;
}

}  // namespace

GraphBuilder::GraphBuilder(const llvm::Module& module, const Instrumentation& instrumentation, bool open)
    : module_(module),
      layout_(module.getDataLayout()),
      instrumentation_(instrumentation),
      pointers_(module, open),
      flow_(module, pointers_),
      graph_(result_.graph),
      memory_(graph_, pointers_) {
  for (NodeId& state : states_) state = graph_.add_node(NodeKind::kState, nullptr);
  for (NodeId* state : {&stack_, &exceptions_, &jumps_, &later_, &outside_read_, &outside_written_})
    *state = graph_.add_node(NodeKind::kState, nullptr);
}

ProgramDependence GraphBuilder::build() {
  for (const llvm::Function& function : module_)
    if (!function.isDeclaration()) add_function(function);
  add_callbacks();
  add_starts_and_ends();
  add_outside();
  graph_.finish();
  std::sort(result_.sites.begin(), result_.sites.end(),
            [](const SiteNodes& a, const SiteNodes& b) { return a.site < b.site; });
  return std::move(result_);
}

GraphBuilder::FunctionNodes& GraphBuilder::nodes_of(const llvm::Function& function) {
  const auto [found, is_new] = functions_.try_emplace(&function);
  if (is_new) {
    found->second.entry = graph_.add_node(NodeKind::kEntry, &function);
    found->second.result = graph_.add_node(NodeKind::kResult, &function);
    found->second.returns = graph_.add_node(NodeKind::kReturns, &function);
    found->second.unwinds = graph_.add_node(NodeKind::kUnwinds, &function);
  }
  return found->second;
}

NodeId GraphBuilder::value_of(const llvm::Value* value) {
  const bool argument = llvm::isa<llvm::Argument>(value);
  if (!argument && !llvm::isa<llvm::Instruction>(value)) return kNoNode;
  const auto [found, is_new] = values_.try_emplace(value, kNoNode);
  if (is_new) found->second = graph_.add_node(argument ? NodeKind::kParameter : NodeKind::kValue, value);
  return found->second;
}

void GraphBuilder::depend_on(NodeId node, const llvm::Value* value, EdgeKind kind) {
  if (const NodeId from = value_of(value); from != kNoNode) graph_.add_edge(from, node, kind);
}

void GraphBuilder::depend_on_operands(NodeId node, const llvm::User& user) {
  for (const llvm::Use& operand : user.operands()) depend_on(node, operand);
}

NodeId GraphBuilder::new_action(const llvm::Instruction& instruction, const Here& here) {
  const NodeId action = graph_.add_node(NodeKind::kAction, &instruction);
  graph_.add_edge(here.control[here.segment], action, EdgeKind::kControl);
  graph_.add_edge(here.function->entry, action, EdgeKind::kCall);
  return action;
}

void GraphBuilder::add_site(const llvm::Instruction& instruction, NodeId action, NodeId value, bool several,
                            bool counted) {
  const uint32_t site = instrumentation_.site ? instrumentation_.site(instruction) : 0;
  if (site) result_.sites.push_back({site, action, value, several, counted});
}

void GraphBuilder::add_function(const llvm::Function& function) {
  const FunctionFlow flow = flow_.flow_of(function);
  const FunctionNodes nodes = nodes_of(function);
  Here here{&nodes, &flow, {}, {}, 0};
  add_control(function, here);
  const auto returns = std::count_if(flow.segments.begin(), flow.segments.end(),
                                     [](const Segment& segment) { return llvm::isa<llvm::ReturnInst>(segment.last); });
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      add_instruction(instruction, here);
      if (llvm::isa<llvm::ReturnInst>(instruction)) {
        depend_on_operands(nodes.result, instruction);
        if (returns > 1) graph_.add_edge(here.control[here.segment], nodes.result, EdgeKind::kControl);
      }
      if (&instruction == flow.segments[here.segment].last) ++here.segment;
    }
  }
}

void GraphBuilder::add_control(const llvm::Function& function, Here& here) {
  for (const Segment& segment : here.flow->segments) {
    here.control.push_back(graph_.add_node(NodeKind::kControl, segment.last));
    here.decision.push_back(segment.decides ? graph_.add_node(NodeKind::kDecision, segment.last) : kNoNode);
    if (here.flow->has_setjmp) graph_.add_edge(jumps_, here.control.back(), EdgeKind::kState);
  }
  for (uint32_t i = 0; i < here.control.size(); ++i) {
    const Segment& segment = here.flow->segments[i];
    for (const uint32_t decider : segment.deciders)
      graph_.add_edge(here.decision[decider], here.control[i], EdgeKind::kControl);
    if (!segment.decides) continue;
    graph_.add_edge(here.control[i], here.decision[i], EdgeKind::kControl);
    // A call decides by coming back or not, which add_call knows.
    if (!llvm::isa<llvm::CallBase>(segment.last)) depend_on_operands(here.decision[i], *segment.last);
  }
  for (const uint32_t decider : here.flow->return_deciders)
    graph_.add_edge(here.decision[decider], here.function->returns, EdgeKind::kControl);
  for (const uint32_t decider : here.flow->unwind_deciders)
    graph_.add_edge(here.decision[decider], here.function->unwinds, EdgeKind::kControl);
  if (here.flow->has_setjmp)
    for (const NodeId node : {here.function->returns, here.function->unwinds})
      graph_.add_edge(jumps_, node, EdgeKind::kState);
  if (function.getName() == "main") graph_.add_edge(here.function->returns, later_, EdgeKind::kControl);
}

void GraphBuilder::add_instruction(const llvm::Instruction& instruction, const Here& here) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return add_call(*call, here);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return add_phi(*phi, here);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const llvm::Value* pointer = load->getPointerOperand();
    return add_load(*load, pointer, load->isAtomic() || !instrumentation_.is_private(pointer, true), here);
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return add_store(*store, here);
  if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return add_exchange(*rmw, rmw->getPointerOperand(), here);
  if (const auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return add_exchange(*cas, cas->getPointerOperand(), here);
  if (llvm::isa<llvm::FenceInst>(instruction)) return add_site(instruction, new_action(instruction, here), kNoNode);
  if (llvm::isa<llvm::LandingPadInst>(instruction))
    return graph_.add_edge(exceptions_, value_of(&instruction), EdgeKind::kState);
  if (llvm::isa<llvm::VAArgInst>(instruction))  // reads what lies outside of what is known
    return graph_.add_edge(outside_read_, value_of(&instruction), EdgeKind::kMemory);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    // Locals of unknown size move all that come after them.
    graph_.add_edge(stack_, value_of(local), EdgeKind::kState);
    if (!local->isArrayAllocation()) return;
    const NodeId action = new_action(instruction, here);
    depend_on_operands(action, instruction);
    return graph_.add_edge(action, stack_, EdgeKind::kState);
  }
  if (!instruction.getType()->isVoidTy()) depend_on_operands(value_of(&instruction), instruction);
}

// Which value it is depends on how the block was reached.
void GraphBuilder::add_phi(const llvm::PHINode& phi, const Here& here) {
  const NodeId value = value_of(&phi);
  depend_on_operands(value, phi);
  for (const llvm::BasicBlock* block : phi.blocks()) {
    const uint32_t last = here.flow->last_of.lookup(block);
    const NodeId decision = here.decision[last];
    graph_.add_edge(decision == kNoNode ? here.control[last] : decision, value, EdgeKind::kControl);
  }
}

void GraphBuilder::add_load(const llvm::LoadInst& load, const llvm::Value* pointer, bool traced, const Here& here) {
  const NodeId value = value_of(&load);
  depend_on(value, pointer);
  memory_.read(value, pointers_.points_to(pointer), layout_.getTypeStoreSize(load.getType()), traced);
  if (!traced) return;
  const NodeId action = new_action(load, here);
  depend_on(action, pointer);
  const bool pieces = goes_in_pieces(load.getType(), layout_);
  add_site(load, action, value, pieces, pieces);
}

void GraphBuilder::add_store(const llvm::StoreInst& store, const Here& here) {
  const bool traced = store.isAtomic() || !instrumentation_.is_private(store.getPointerOperand(), false);
  const NodeId action = new_action(store, here);
  depend_on_operands(action, store);
  memory_.write(action, pointers_.points_to(store.getPointerOperand()),
                layout_.getTypeStoreSize(store.getValueOperand()->getType()), traced);
  const bool pieces = goes_in_pieces(store.getValueOperand()->getType(), layout_);
  if (traced) add_site(store, action, kNoNode, pieces, pieces);
}

void GraphBuilder::add_exchange(const llvm::Instruction& exchange, const llvm::Value* pointer, const Here& here) {
  const NodeId value = value_of(&exchange), action = new_action(exchange, here);
  depend_on_operands(action, exchange);
  depend_on(value, pointer);
  if (llvm::isa<llvm::AtomicCmpXchgInst>(exchange)) depend_on(value, exchange.getOperand(1));
  const uint64_t size = layout_.getTypeStoreSize(exchange.getOperand(1)->getType());
  memory_.read(value, pointers_.points_to(pointer), size, true);
  memory_.write(action, pointers_.points_to(pointer), size, true);
  memory_.write(value, pointers_.points_to(pointer), size, true);
  add_site(exchange, action, value);
}

ProgramDependence find_dependences(const llvm::Module& module, const Instrumentation& instrumentation, bool open) {
  return GraphBuilder(module, instrumentation, open).build();
}

}  // namespace heddle::program
