// SPDX-License-Identifier: Apache-2.0
//
// Memory in the dependence graph: pieces of four bytes of the objects that the
// points-to analysis knows. A store leads to the pieces it may write, these to
// the loads that may read them. An access at an unknown place of an object uses
// two nodes for all its pieces:
//
//   written somewhere -> each piece -> read somewhere
#pragma once

#include <map>

#include "program/dependence/dependence_graph.h"
#include "program/dependence/program_pointers.h"

namespace heddle::program {

class MemoryNodes {
 public:
  MemoryNodes(DependenceGraph& graph, const ProgramPointers& pointers) : graph_(graph), pointers_(pointers) {}

  // `node` depends on `size` bytes at any of the locations; kUnknownSize: on the whole objects.
  void read(NodeId node, const LocationSet& locations, uint64_t size, bool traced);
  void write(NodeId node, const LocationSet& locations, uint64_t size, bool traced);
  void write_object(NodeId node, ObjectId object);  // somewhere, untraced

 private:
  struct Memory {
    NodeId written_somewhere, read_somewhere;
    llvm::DenseMap<uint32_t, NodeId> pieces;
  };
  Memory& memory(ObjectId object, bool traced);
  void collect(const LocationSet& locations, uint64_t size, bool traced, bool write, std::vector<NodeId>& nodes);
  // One node in place of many, shared by accesses to the same pieces.
  NodeId joined(std::vector<NodeId> nodes, bool write);

  DependenceGraph& graph_;
  const ProgramPointers& pointers_;
  llvm::DenseMap<std::pair<ObjectId, unsigned>, uint32_t> index_;
  std::vector<Memory> memories_;
  std::map<std::pair<std::vector<NodeId>, bool>, NodeId> joins_;
};

}  // namespace heddle::program
