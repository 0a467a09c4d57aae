// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/dependence_graph.h"

#include <algorithm>
#include <tuple>

namespace heddle::program {

const char* name_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kData: return "data";
    case EdgeKind::kControl: return "control";
    case EdgeKind::kMemory: return "memory";
    case EdgeKind::kTracedMemory: return "traced-memory";
    case EdgeKind::kParameterIn: return "parameter-in";
    case EdgeKind::kParameterOut: return "parameter-out";
    case EdgeKind::kCall: return "call";
    case EdgeKind::kState: return "state";
    case EdgeKind::kThread: return "thread";
  }
  return "";
}

NodeId DependenceGraph::add_node(NodeKind kind, const llvm::Value* value) {
  nodes_.push_back({kind, value});
  return static_cast<NodeId>(nodes_.size() - 1);
}

void DependenceGraph::finish() {
  std::sort(loose_.begin(), loose_.end(), [](const Loose& a, const Loose& b) {
    return std::tie(a.to, a.from, a.kind) < std::tie(b.to, b.from, b.kind);
  });
  loose_.erase(
      std::unique(loose_.begin(), loose_.end(),
                  [](const Loose& a, const Loose& b) { return a.to == b.to && a.from == b.from && a.kind == b.kind; }),
      loose_.end());
  in_start_.assign(nodes_.size() + 1, 0);
  out_start_.assign(nodes_.size() + 1, 0);
  for (const Loose& edge : loose_) {
    ++in_start_[edge.to + 1];
    ++out_start_[edge.from + 1];
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    in_start_[i + 1] += in_start_[i];
    out_start_[i + 1] += out_start_[i];
  }
  in_.resize(loose_.size());
  out_.resize(loose_.size());
  std::vector<uint32_t> in_next = in_start_, out_next = out_start_;
  for (const Loose& edge : loose_) {
    in_[in_next[edge.to]++] = {edge.from, edge.kind};
    out_[out_next[edge.from]++] = {edge.to, edge.kind};
  }
  loose_ = {};
}

llvm::ArrayRef<DependenceEdge> DependenceGraph::into(NodeId id) const {
  return {in_.data() + in_start_[id], in_.data() + in_start_[id + 1]};
}

llvm::ArrayRef<DependenceEdge> DependenceGraph::out_of(NodeId id) const {
  return {out_.data() + out_start_[id], out_.data() + out_start_[id + 1]};
}

}  // namespace heddle::program
