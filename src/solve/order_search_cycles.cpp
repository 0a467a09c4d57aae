// SPDX-License-Identifier: Apache-2.0
//
// The graph of what is certain and what the SAT solver chose: an order of its
// events, or cycles to exclude.
#include <cadical.hpp>
#include <deque>

#include "solve/order_search.h"

namespace heddle::solve {
namespace {

constexpr int kCertain = 0;
constexpr uint32_t kUnreached = ~0u;

}  // namespace

void OrderSearch::collect_graph() {
  const Closure& closure = saturation_->closure();
  edges_.clear();
  for (const Edge& edge : closure.edges()) edges_.push_back({edge, kCertain});
  for (size_t i = 1; i < variables_.size(); ++i) {
    const auto variable = static_cast<SatLiteral>(i);
    const bool value = solver_->val(variable) > 0;
    const Edge& edge = value ? variables_[i].when_true : variables_[i].when_false;
    if (edge.before != kNoEvent) edges_.push_back({edge, value ? variable : -variable});
  }
  first_edge_.assign(closure.events() + 1, 0);
  waiting_for_.assign(closure.events(), 0);
  for (const auto& [edge, reason] : edges_) {
    ++first_edge_[edge.before];
    ++waiting_for_[edge.after];
  }
  uint32_t end = 0;
  for (uint32_t& first : first_edge_) first = end += first;
  graph_.resize(edges_.size());
  for (const auto& [edge, reason] : edges_) graph_[--first_edge_[edge.before]] = {edge.after, reason};
}

// Puts the events into order_, close to the guess. False: there is a cycle, and
// order_ holds only the events that do not come after one.
bool OrderSearch::sort_graph() {
  const Closure& closure = saturation_->closure();
  order_.clear();
  ready_.assign(closure.words(), 0);
  for (Event event = 0; event < closure.events(); ++event) {
    if (waiting_for_[event] == 0) set_bit(ready_.data(), rank_[event]);
  }
  for (uint32_t i = 0; i < closure.words();) {
    if (ready_[i] == 0) {
      ++i;
      continue;
    }
    const Event event = by_rank_[i * kWordBits + static_cast<uint32_t>(std::countr_zero(ready_[i]))];
    ready_[i] &= ready_[i] - 1;
    order_.push_back(event);
    for (uint32_t edge = first_edge_[event]; edge < first_edge_[event + 1]; ++edge) {
      const Event target = graph_[edge].target;
      if (--waiting_for_[target] > 0) continue;
      set_bit(ready_.data(), rank_[target]);
      i = std::min(i, rank_[target] / kWordBits);
    }
  }
  return order_.size() == closure.events();
}

// Finds cycles that share no chosen edge and excludes each.
void OrderSearch::exclude_cycles() {
  std::vector<bool> used(variables_.size(), false);
  for (const auto& [edge, reason] : edges_) {
    const auto variable = static_cast<size_t>(std::abs(reason));
    const bool sorted = waiting_for_[edge.before] == 0 || waiting_for_[edge.after] == 0;
    if (reason == kCertain || sorted || used[variable] || !find_cycle(edge.after, edge.before)) continue;
    cycle_.push_back(reason);
    for (const SatLiteral literal : cycle_) {
      used[static_cast<size_t>(std::abs(literal))] = true;
      solver_->add(-literal);
    }
    solver_->add(0);
  }
}

// A path with the fewest chosen edges; these go to cycle_.
bool OrderSearch::find_cycle(Event from, Event to) {
  const uint32_t events = saturation_->closure().events();
  distance_.assign(events, kUnreached);
  came_from_.resize(events);
  std::deque<Event> queue{from};
  distance_[from] = 0;
  while (!queue.empty() && queue.front() != to) {
    const Event event = queue.front();
    queue.pop_front();
    for (uint32_t i = first_edge_[event]; i < first_edge_[event + 1]; ++i) {
      const auto& [target, reason] = graph_[i];
      const uint32_t distance = distance_[event] + (reason != kCertain);
      if (waiting_for_[target] == 0 || distance >= distance_[target]) continue;
      distance_[target] = distance;
      came_from_[target] = {event, reason};
      if (reason == kCertain) {
        queue.push_front(target);
      } else {
        queue.push_back(target);
      }
    }
  }
  cycle_.clear();
  if (queue.empty()) return false;
  for (Event event = to; event != from; event = came_from_[event].first) {
    if (came_from_[event].second != kCertain) cycle_.push_back(came_from_[event].second);
  }
  return true;
}

}  // namespace heddle::solve
