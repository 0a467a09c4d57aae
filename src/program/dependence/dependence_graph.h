// SPDX-License-Identifier: Apache-2.0
//
// The dependence graph of a program: nodes are what can differ (a value, whether
// and with what operands an operation happens, which way a branch goes, what a
// piece of memory holds), edges say what that may depend on.
//
//   r = x;                 value of the load
//   if (r)                   -> decision of the branch -> control of the block
//     y = r + 1;             -> value of the sum -> action of the store
//
// A value does not depend on whether its instruction runs: who asks has it. An
// action does, so it depends on the control of its segment and on the entry of
// its function, which depends on the calls.
//
// Memory has two nodes per piece: what stores with a hook wrote (traced), and
// what others wrote. Only from a traced store to a traced load can a trace tell
// what really flowed; these edges have a kind of their own.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <vector>

namespace heddle::program {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

enum class NodeKind : uint8_t {
  kValue,      // of an instruction
  kAction,     // an instruction happens, with its operands
  kInput,      // what a call of a library is given, memory included
  kControl,    // a segment runs, its function being called
  kDecision,   // which way it goes on after a segment
  kEntry,      // a function is called
  kParameter,  // value of a parameter
  kResult,     // what a function returns
  kReturns,    // whether a function returns
  kUnwinds,    // whether it throws
  kMemory,     // a piece of memory
  kState,      // hidden state of libraries
};

enum class EdgeKind : uint8_t {
  kData,  // through a register
  kControl,
  kMemory,        // through memory, unseen by a trace
  kTracedMemory,  // through memory, store and load both with a hook
  kParameterIn,
  kParameterOut,  // what a function gives back, and that it comes back
  kCall,          // that a function is called
  kState,         // through the state of a library
  kThread,        // from a thread to one that it creates, or that joins it
};
inline constexpr size_t kEdgeKinds = 9;
const char* name_of(EdgeKind kind);

struct DependenceEdge {
  NodeId other;
  EdgeKind kind;
};

struct DependenceNode {
  NodeKind kind;
  const llvm::Value* value;  // instruction, argument, function; null for memory without a name
};

class DependenceGraph {
 public:
  NodeId add_node(NodeKind kind, const llvm::Value* value);
  void add_edge(NodeId from, NodeId to, EdgeKind kind) { loose_.push_back({from, to, kind}); }
  // After the last edge; drops doubles.
  void finish();

  size_t nodes() const { return nodes_.size(); }
  size_t edges() const { return in_.size(); }
  const DependenceNode& node(NodeId id) const { return nodes_[id]; }
  // What a node depends on, and what depends on it.
  llvm::ArrayRef<DependenceEdge> into(NodeId id) const;
  llvm::ArrayRef<DependenceEdge> out_of(NodeId id) const;

 private:
  struct Loose {
    NodeId from, to;
    EdgeKind kind;
  };
  std::vector<DependenceNode> nodes_;
  std::vector<Loose> loose_;
  std::vector<uint32_t> in_start_, out_start_;
  std::vector<DependenceEdge> in_, out_;
};

}  // namespace heddle::program
