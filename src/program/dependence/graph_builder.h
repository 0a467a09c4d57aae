// SPDX-License-Identifier: Apache-2.0
//
// Builds the dependence graph, function by function.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include "program/dependence/memory_nodes.h"
#include "program/dependence/program_dependence.h"
#include "program/dependence/program_flow.h"

namespace heddle::program {

class GraphBuilder {
 public:
  GraphBuilder(const llvm::Module& module, const Instrumentation& instrumentation, bool open);
  ProgramDependence build();

 private:
  struct FunctionNodes {
    NodeId entry, result, returns, unwinds;
  };
  struct GroupNodes {
    NodeId entry, result, comes_back;
    std::vector<NodeId> parameters;
  };
  // Where the builder is.
  struct Here {
    const FunctionNodes* function;
    const FunctionFlow* flow;
    std::vector<NodeId> control, decision;  // by segment; no decision: kNoNode
    uint32_t segment = 0;
  };

  FunctionNodes& nodes_of(const llvm::Function& function);
  NodeId value_of(const llvm::Value* value);  // kNoNode for constants
  NodeId new_action(const llvm::Instruction& instruction, const Here& here);
  void depend_on(NodeId node, const llvm::Value* value, EdgeKind kind = EdgeKind::kData);
  void depend_on_operands(NodeId node, const llvm::User& user);
  void add_site(const llvm::Instruction& instruction, NodeId action, NodeId value, bool several = false,
                bool counted = false);

  void add_function(const llvm::Function& function);
  void add_control(const llvm::Function& function, Here& here);
  void add_instruction(const llvm::Instruction& instruction, const Here& here);
  void add_phi(const llvm::PHINode& phi, const Here& here);
  void add_load(const llvm::LoadInst& load, const llvm::Value* pointer, bool traced, const Here& here);
  void add_store(const llvm::StoreInst& store, const Here& here);
  void add_exchange(const llvm::Instruction& exchange, const llvm::Value* pointer, const Here& here);

  // graph_calls.cpp
  void add_intrinsic(const llvm::IntrinsicInst& intrinsic, const Here& here);
  void add_transfer(const llvm::MemIntrinsic& range, const Here& here);
  void add_call(const llvm::CallBase& call, const Here& here);
  void add_defined(const llvm::CallBase& call, const llvm::Function& callee, NodeId action, NodeId value,
                   NodeId decision);
  void add_grouped(const llvm::CallBase& call, const CalleeGroup& group, NodeId action, NodeId value, NodeId decision);
  void add_external(const llvm::CallBase& call, const ExternalFunction& external, NodeId action, NodeId input,
                    NodeId value);
  void add_unknown(NodeId action, NodeId input, NodeId value);
  void add_callbacks();
  void add_starts_and_ends();
  void add_outside();

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  const Instrumentation& instrumentation_;
  ProgramPointers pointers_;
  ProgramFlow flow_;
  ProgramDependence result_;
  DependenceGraph& graph_;
  MemoryNodes memory_;
  llvm::DenseMap<const llvm::Value*, NodeId> values_;
  llvm::DenseMap<const llvm::CallBase*, std::pair<NodeId, NodeId>> calls_;  // action and value
  llvm::DenseMap<const llvm::Function*, FunctionNodes> functions_;
  std::map<const CalleeGroup*, GroupNodes> groups_;
  // Hidden state: of libraries (by HiddenState), the stack's height, exceptions on their way, longjmp,
  // what makes later callbacks run, and the memory that unknown code reads and writes.
  NodeId states_[kHiddenStates];
  NodeId stack_, exceptions_, jumps_, later_, outside_read_, outside_written_;
};

}  // namespace heddle::program
