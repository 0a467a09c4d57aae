// SPDX-License-Identifier: Apache-2.0
#include "check/exploration_tree.h"

#include <algorithm>

namespace heddle::check {
namespace {

bool is_blocked(const causal::Execution& execution) {
  switch (execution.ending.outcome) {
    case HEDDLE_OUTCOME_DEADLOCK:
    case HEDDLE_OUTCOME_LIVELOCK:
    case HEDDLE_OUTCOME_BLOCKED:
    case HEDDLE_OUTCOME_BOUND: return true;
    default: return false;
  }
}

}  // namespace

ExplorationTree::Step ExplorationTree::step_of(const causal::Execution& execution, const causal::Happening& happening) {
  const HeddleRecord& record = execution.operation(happening.event);
  return {happening.event.thread, record.site, record.value, record.kind, record.size, happening.is_flush};
}

void ExplorationTree::add(const causal::Execution& execution, bool fails) {
  if (executions_ == kMostExecutions || steps_.size() + execution.order.size() > kMostSteps) {
    ++left_out_;
    return;
  }
  const bool blocks = is_blocked(execution);
  const auto count = [&](Node& node) {
    ++node.executions;
    node.blocked += blocks;
    node.failed += fails;
  };
  const bool is_first = executions_++ == 0;
  if (is_first) nodes_.emplace_back();
  size_t at = 0, done = 0;  // in nodes_; of the execution
  while (!is_first) {
    size_t same = 0;
    const size_t length = nodes_[at].end - nodes_[at].begin;
    while (same < length && done + same < execution.order.size() &&
           steps_[nodes_[at].begin + same] == step_of(execution, execution.order[done + same]))
      ++same;
    if (same < length) split(at, same);
    count(nodes_[at]);
    done += same;
    const std::vector<size_t>& children = nodes_[at].children;
    const auto next = std::find_if(children.begin(), children.end(), [&](size_t child) {
      const Node& node = nodes_[child];
      if (done == execution.order.size() || node.begin == node.end)
        return done == execution.order.size() && node.begin == node.end;
      return steps_[node.begin] == step_of(execution, execution.order[done]);
    });
    if (next == children.end()) {
      if (children.empty() && done == execution.order.size()) return;  // seen before
      nodes_[at].children.push_back(nodes_.size());
      at = nodes_.size();
      nodes_.emplace_back();
      break;
    }
    at = *next;
  }
  Node& node = nodes_[at];
  node.begin = steps_.size();
  for (; done < execution.order.size(); ++done) steps_.push_back(step_of(execution, execution.order[done]));
  node.end = steps_.size();
  count(node);
}

// The node keeps its first `length` steps; a new child takes the others, and all that came after.
void ExplorationTree::split(size_t node, size_t length) {
  Node rest = nodes_[node];
  rest.begin += length;
  nodes_[node].end = rest.begin;
  nodes_[node].children = {nodes_.size()};
  nodes_.push_back(std::move(rest));
}

// What the thread that goes on does there; that it starts says little.
const ExplorationTree::Step& ExplorationTree::telling_step(const Node& node) const {
  for (size_t i = node.begin; i < node.end; ++i)
    if (steps_[i].thread == steps_[node.begin].thread && steps_[i].kind != HEDDLE_THREAD_START) return steps_[i];
  return steps_[node.begin];
}

Exploration ExplorationTree::exploration(const causal::ThreadTable& threads) const {
  struct Visit {
    size_t node;
    uint32_t parent, depth;
  };
  Exploration result;
  result.left_out = left_out_;
  std::vector<Visit> open;  // depth first
  if (!nodes_.empty()) open.push_back({0, 0, 0});
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    const Node& node = nodes_[visit.node];
    Branch branch;
    branch.parent = visit.parent;
    branch.step = visit.depth;
    branch.steps = static_cast<uint32_t>(node.end - node.begin);
    branch.executions = node.executions, branch.blocked = node.blocked, branch.failed = node.failed;
    if (branch.steps > 0) {
      const Step& first = telling_step(node);
      branch.thread = threads.name(first.thread).text();
      branch.kind = first.kind, branch.size = first.size, branch.is_flush = first.is_flush;
      branch.site = first.site, branch.value = first.value;
    }
    const auto place = static_cast<uint32_t>(result.branches.size());
    const uint32_t below = visit.depth + branch.steps;
    result.branches.push_back(std::move(branch));
    for (size_t i = node.children.size(); i-- > 0;) open.push_back({node.children[i], place, below});
  }
  return result;
}

}  // namespace heddle::check
