// SPDX-License-Identifier: Apache-2.0
//
// The meaning of order problems, by trying all orders and choices. Written apart
// from the solvers and from is_valid_order: it performs an order step by step,
// with a memory cell per read and holders per lock.
#pragma once

#include <algorithm>
#include <numeric>

#include "solve/order_problem.h"

namespace heddle::solve {

class BruteForce {
 public:
  // Calls visit(order, choices, valid) for every combination; returns whether any is valid.
  template <typename Visit>
  static bool try_all(const OrderProblem& problem, Visit visit) {
    std::vector<Event> order(problem.events);
    std::iota(order.begin(), order.end(), 0);
    bool any = false;
    do {
      const bool performs = perform(problem, order);
      for (uint32_t bits = 0; bits < (1u << problem.choices); ++bits) {
        std::vector<bool> choices(problem.choices);
        for (uint32_t i = 0; i < problem.choices; ++i) choices[i] = bits >> i & 1;
        const bool valid = performs && clauses_hold(problem, order, choices);
        any |= valid;
        visit(order, choices, valid);
      }
    } while (std::next_permutation(order.begin(), order.end()));
    return any;
  }

 private:
  static bool contains(const std::vector<Event>& events, Event event) {
    return std::find(events.begin(), events.end(), event) != events.end();
  }

  // One step after the other, as a machine would.
  static bool perform(const OrderProblem& problem, const std::vector<Event>& order) {
    std::vector<bool> happened(problem.events, false);
    std::vector<bool> cell_matches;  // by read: does memory hold what it wants
    for (const Read& read : problem.reads) cell_matches.push_back(read.initial_matches);
    for (const Event event : order) {
      for (const Edge& edge : problem.edges) {
        if (edge.after == event && !happened[edge.before]) return false;
      }
      for (size_t i = 0; i < problem.reads.size(); ++i) {
        const Read& read = problem.reads[i];
        if (read.read == event) {
          const bool forwards = read.own_store != kNoEvent && !happened[read.own_store];
          if (!(forwards ? read.own_store_matches : cell_matches[i])) return false;
        } else if (contains(read.sources, event)) {
          cell_matches[i] = true;
        } else if (contains(read.others, event)) {
          cell_matches[i] = false;
        }
      }
      happened[event] = true;
      for (const Lock& lock : problem.locks) {
        if (!lock_allows(lock, event, happened)) return false;
      }
    }
    return true;
  }

  // `event` has just happened. Sections that begin or end with it are judged now.
  static bool lock_allows(const Lock& lock, Event event, const std::vector<bool>& happened) {
    for (size_t i = 0; i < lock.sections.size(); ++i) {
      const Section& section = lock.sections[i];
      if (section.release == event && !happened[section.acquire]) return false;
      if (section.acquire != event) continue;
      for (size_t j = 0; j < lock.sections.size(); ++j) {
        const Section& held = lock.sections[j];
        if (i == j || (held.shared && section.shared) || !happened[held.acquire]) continue;
        // A section that ends in the very event that begins another overlaps it.
        const bool ended = held.release != kNoEvent && held.release != event && happened[held.release];
        if (!ended) return false;
      }
    }
    return true;
  }

  static bool clauses_hold(const OrderProblem& problem, const std::vector<Event>& order,
                           const std::vector<bool>& choices) {
    const auto holds = [&](const Literal& literal) {
      if (literal.kind == Literal::Kind::kChoice) return choices[literal.first] == literal.value;
      const auto first = std::find(order.begin(), order.end(), literal.first);
      return std::find(first, order.end(), literal.second) != order.end();
    };
    return std::all_of(problem.clauses.begin(), problem.clauses.end(),
                       [&](const Clause& clause) { return std::any_of(clause.begin(), clause.end(), holds); });
  }
};

}  // namespace heddle::solve
