// SPDX-License-Identifier: Apache-2.0
//
// Small order problems with a bit of everything, for comparing solvers: edges,
// reads with and without own stores, locks with open and shared sections,
// choices, clauses. About as many have a solution as have none. With many more
// clauses, few of those without solution are seen to have none before a search.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>

#include "solve/order_problem.h"

namespace heddle::solve {

class RandomProblem {
 public:
  explicit RandomProblem(uint64_t seed) : random_(seed) {}

  OrderProblem make(uint32_t events, uint32_t more_clauses = 0) {
    OrderProblem problem;
    problem.events = events;
    problem.choices = below(3);
    if (below(2) == 0) problem.hint = permutation(events);
    const std::vector<Event> hidden = permutation(events);  // most edges agree with it
    for (uint32_t i = below(events + 1); i > 0; --i) add_edge(problem, hidden);
    if (events < 2) return problem;
    for (uint32_t i = below(events); i > 0; --i) problem.reads.push_back(read(events));
    for (uint32_t i = below(3); i > 0; --i) problem.locks.push_back(lock(hidden));
    for (uint32_t i = below(events); i > 0; --i) problem.clauses.push_back(clause(problem, 1 + below(3)));
    for (uint32_t i = more_clauses; i > 0; --i) problem.clauses.push_back(clause(problem, 3));
    return problem;
  }

 private:
  uint32_t below(uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random_); }

  std::vector<Event> permutation(uint32_t events) {
    std::vector<Event> order(events);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

  void add_edge(OrderProblem& problem, const std::vector<Event>& hidden) {
    const auto events = static_cast<uint32_t>(hidden.size());
    if (events < 2) return;
    uint32_t first = below(events), second = below(events);
    if (first == second) return;
    if (first > second && below(20) != 0) std::swap(first, second);
    problem.edges.push_back({hidden[first], hidden[second]});
  }

  Read read(uint32_t events) {
    const std::vector<Event> mixed = permutation(events);
    Read read;
    read.read = mixed[0];
    const uint32_t writes = below(events);
    for (uint32_t i = 1; i <= writes; ++i) (below(2) == 0 ? read.sources : read.others).push_back(mixed[i]);
    read.initial_matches = below(3) == 0;
    if (writes > 0 && below(3) == 0) {
      read.own_store_matches = !read.sources.empty() && (read.others.empty() || below(2) == 0);
      read.own_store = read.own_store_matches ? read.sources[0] : read.others[0];
    }
    if (below(8) == 0) (below(2) == 0 ? read.sources : read.others).push_back(read.read);
    return read;
  }

  Lock lock(const std::vector<Event>& hidden) {
    Lock lock;
    const auto events = static_cast<uint32_t>(hidden.size());
    for (uint32_t i = below(4); i > 0; --i) {
      const uint32_t acquire = below(events - 1);
      const uint32_t release = acquire + 1 + below(events - acquire - 1);
      const bool open = below(5) == 0;
      lock.sections.push_back({hidden[acquire], open ? kNoEvent : hidden[release], below(4) == 0});
    }
    return lock;
  }

  Clause clause(const OrderProblem& problem, uint32_t literals) {
    Clause clause;
    for (uint32_t i = literals; i > 0; --i) {
      if (problem.choices > 0 && below(3) == 0) {
        clause.push_back(Literal::choice(below(problem.choices), below(2) == 0));
      } else {
        const std::vector<Event> mixed = permutation(problem.events);
        clause.push_back(Literal::before(mixed[0], mixed[1]));
      }
    }
    return clause;
  }

  std::mt19937_64 random_;
};

}  // namespace heddle::solve
