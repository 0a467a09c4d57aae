// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/memory_nodes.h"

#include <llvm/IR/GlobalVariable.h>

#include <algorithm>

namespace heddle::program {
namespace {

constexpr uint32_t kPieceBytes = 4;
constexpr size_t kManyNodes = 6;

}  // namespace

MemoryNodes::Memory& MemoryNodes::memory(ObjectId object, bool traced) {
  object = pointers_.locations().merged(object);
  const auto [found, is_new] = index_.try_emplace({object, traced ? 1u : 0u}, static_cast<uint32_t>(memories_.size()));
  if (is_new) {
    const llvm::Value* value = pointers_.locations().object(object).value;
    Memory& made = memories_.emplace_back();
    made.written_somewhere = graph_.add_node(NodeKind::kMemory, value);
    made.read_somewhere = graph_.add_node(NodeKind::kMemory, value);
    graph_.add_edge(made.written_somewhere, made.read_somewhere, EdgeKind::kMemory);
  }
  return memories_[found->second];
}

void MemoryNodes::collect(const LocationSet& locations, uint64_t size, bool traced, bool write,
                          std::vector<NodeId>& nodes) {
  for (const LocationId location : locations) {
    const ObjectId id = pointers_.locations().object_of(location);
    const Object& object = pointers_.locations().object(id);
    if (object.kind == ObjectKind::kFunction) continue;
    const auto* global = llvm::dyn_cast_or_null<llvm::GlobalVariable>(object.value);
    if (global && global->isConstant()) continue;
    Memory& whole = memory(id, traced);
    const auto pieces = pointers_.locations().pieces(location, size, kPieceBytes);
    if (!pieces) {
      nodes.push_back(write ? whole.written_somewhere : whole.read_somewhere);
      continue;
    }
    for (const uint32_t offset : *pieces) {
      const auto [found, is_new] = whole.pieces.try_emplace(offset, kNoNode);
      if (is_new) {
        found->second = graph_.add_node(NodeKind::kMemory, object.value);
        graph_.add_edge(whole.written_somewhere, found->second, EdgeKind::kMemory);
        graph_.add_edge(found->second, whole.read_somewhere, EdgeKind::kMemory);
      }
      nodes.push_back(found->second);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

NodeId MemoryNodes::joined(std::vector<NodeId> nodes, bool write) {
  const auto [found, is_new] = joins_.try_emplace({std::move(nodes), write}, kNoNode);
  if (is_new) {
    found->second = graph_.add_node(NodeKind::kMemory, nullptr);
    for (const NodeId node : found->first.first)
      write ? graph_.add_edge(found->second, node, EdgeKind::kMemory)
            : graph_.add_edge(node, found->second, EdgeKind::kMemory);
  }
  return found->second;
}

void MemoryNodes::read(NodeId node, const LocationSet& locations, uint64_t size, bool traced) {
  for (const bool traced_store : {false, true}) {
    std::vector<NodeId> nodes;
    collect(locations, size, traced_store, false, nodes);
    if (nodes.size() > kManyNodes) nodes = {joined(std::move(nodes), false)};
    for (const NodeId from : nodes)
      graph_.add_edge(from, node, traced && traced_store ? EdgeKind::kTracedMemory : EdgeKind::kMemory);
  }
}

void MemoryNodes::write(NodeId node, const LocationSet& locations, uint64_t size, bool traced) {
  std::vector<NodeId> nodes;
  collect(locations, size, traced, true, nodes);
  if (nodes.size() > kManyNodes) nodes = {joined(std::move(nodes), true)};
  for (const NodeId to : nodes) graph_.add_edge(node, to, EdgeKind::kMemory);
}

void MemoryNodes::write_object(NodeId node, ObjectId object) {
  graph_.add_edge(node, memory(object, false).written_somewhere, EdgeKind::kMemory);
}

}  // namespace heddle::program
