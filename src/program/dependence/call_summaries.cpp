// SPDX-License-Identifier: Apache-2.0
//
// Every node has the set of its function's parameters that reach it without
// leaving the function, as bits; sets flow along local edges, and at calls from
// arguments to results as far as the callee's sets say so, until nothing changes.
#include "program/dependence/call_summaries.h"

#include <algorithm>

namespace heddle::program {
namespace {

// Parameters from the last bit on share it.
constexpr unsigned kLastBit = 63;

uint64_t bit_of(const CallBinding::In& in) { return uint64_t{1} << std::min(in.number, kLastBit); }

class Summaries {
 public:
  explicit Summaries(const ProgramDependence& dependence)
      : dependence_(dependence), graph_(dependence.graph), reaching_(graph_.nodes(), 0), uses_(graph_.nodes()) {
    for (uint32_t call = 0; call < dependence.calls.size(); ++call) {
      for (const CallBinding::In& in : dependence.calls[call].in) uses_[in.argument].push_back(call);
      for (const auto& [result, back] : dependence.calls[call].out) uses_[result].push_back(call);
    }
  }

  void run() {
    for (const CallBinding& call : dependence_.calls)
      for (const CallBinding::In& in : call.in) add(in.parameter, bit_of(in));
    while (!changed_.empty()) {
      const NodeId node = changed_.back();
      changed_.pop_back();
      waiting_[node] = false;
      for (const DependenceEdge& edge : graph_.out_of(node))
        if (is_local(edge.kind)) add(edge.other, reaching_[node]);
      for (const uint32_t call : uses_[node])
        for (const auto& [result, back] : dependence_.calls[call].out)
          for (const CallBinding::In& in : dependence_.calls[call].in)
            if (reaching_[result] & bit_of(in)) add(back, reaching_[in.argument]);
    }
  }

  std::vector<std::pair<NodeId, NodeId>> edges() const {
    std::vector<std::pair<NodeId, NodeId>> result;
    for (const CallBinding& call : dependence_.calls)
      for (const auto& [formal, back] : call.out)
        for (const CallBinding::In& in : call.in)
          if (reaching_[formal] & bit_of(in)) result.push_back({in.argument, back});
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

 private:
  void add(NodeId node, uint64_t bits) {
    if ((reaching_[node] | bits) == reaching_[node]) return;
    reaching_[node] |= bits;
    if (waiting_[node]) return;
    waiting_[node] = true;
    changed_.push_back(node);
  }

  const ProgramDependence& dependence_;
  const DependenceGraph& graph_;
  std::vector<uint64_t> reaching_;
  std::vector<std::vector<uint32_t>> uses_;  // by node: calls that it is an argument or a result of
  std::vector<bool> waiting_ = std::vector<bool>(graph_.nodes(), false);
  std::vector<NodeId> changed_;
};

}  // namespace

bool is_local(EdgeKind kind) { return kind == EdgeKind::kData || kind == EdgeKind::kControl; }

std::vector<std::pair<NodeId, NodeId>> summarize_calls(const ProgramDependence& dependence) {
  Summaries summaries(dependence);
  summaries.run();
  return summaries.edges();
}

}  // namespace heddle::program
