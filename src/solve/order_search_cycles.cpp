// SPDX-License-Identifier: Apache-2.0
//
// The graph of what is certain and what the SAT solver chose: an order of its
// events, or cycles to exclude.
#include <algorithm>
#include <cadical.hpp>
#include <cstdlib>

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

// Puts the events into order_, close to the guess. False: there is a cycle.
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

// Gives each event the number of its strongly connected component: events of a
// cycle share it. Tarjan's algorithm, with a stack of its own.
void OrderSearch::find_components() {
  const uint32_t events = saturation_->closure().events();
  component_.assign(events, kUnreached);
  visited_.assign(events, kUnreached);
  lowest_.resize(events);
  next_edge_ = first_edge_;
  path_.clear();
  pending_.clear();
  uint32_t visits = 0;
  const auto enter = [&](Event event) {
    visited_[event] = lowest_[event] = visits++;
    path_.push_back(event);
    pending_.push_back(event);
  };
  for (Event root = 0; root < events; ++root) {
    if (visited_[root] == kUnreached) enter(root);
    while (!path_.empty()) {
      const Event event = path_.back();
      if (next_edge_[event] < first_edge_[event + 1]) {
        const Event target = graph_[next_edge_[event]++].target;
        if (visited_[target] == kUnreached) {
          enter(target);
        } else if (component_[target] == kUnreached) {
          lowest_[event] = std::min(lowest_[event], visited_[target]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[event]);
      if (lowest_[event] != visited_[event]) continue;
      Event member;
      do {
        member = pending_.back();
        pending_.pop_back();
        component_[member] = event;
      } while (member != event);
    }
  }
}

// For each chosen edge that is part of a cycle, finds one with the fewest chosen
// edges and excludes it. Edges that lead to one event share a search for ways back.
void OrderSearch::exclude_cycles() {
  find_components();
  std::erase_if(edges_, [this](const auto& item) {
    const auto& [edge, reason] = item;
    return reason == kCertain || component_[edge.before] != component_[edge.after];
  });
  std::sort(edges_.begin(), edges_.end(), [](const auto& one, const auto& two) {
    return std::pair(one.first.after, one.second) < std::pair(two.first.after, two.second);
  });
  Event searched_from = kNoEvent;
  for (const auto& [edge, reason] : edges_) {
    if (searched_from != edge.after) find_paths(edge.after);
    searched_from = edge.after;
    solver_->add(-reason);
    for (Event event = edge.before; event != edge.after; event = came_from_[event].first) {
      if (came_from_[event].second != kCertain) solver_->add(-came_from_[event].second);
    }
    solver_->add(0);
  }
}

// Finds the paths with the fewest chosen edges from this event to all others of
// its component; came_from_ tells them.
void OrderSearch::find_paths(Event from) {
  const uint32_t events = saturation_->closure().events();
  distance_.assign(events, kUnreached);
  came_from_.resize(events);
  distance_[from] = 0;
  near_.assign(1, from);
  far_.clear();
  for (uint32_t distance = 0; !near_.empty(); ++distance) {
    while (!near_.empty()) {
      const Event event = near_.back();
      near_.pop_back();
      if (distance_[event] != distance) continue;
      for (uint32_t i = first_edge_[event]; i < first_edge_[event + 1]; ++i) {
        const auto& [target, reason] = graph_[i];
        const uint32_t target_distance = distance + (reason != kCertain);
        if (component_[target] != component_[from] || target_distance >= distance_[target]) continue;
        distance_[target] = target_distance;
        came_from_[target] = {event, reason};
        (reason == kCertain ? near_ : far_).push_back(target);
      }
    }
    std::swap(near_, far_);
  }
}

}  // namespace heddle::solve
