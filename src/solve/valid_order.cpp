// SPDX-License-Identifier: Apache-2.0
//
// Checks an order by replaying it: the definitions of order_problem.h, written
// down once more in the plainest way. Uses nothing of the solvers.
#include "solve/order_problem.h"

namespace heddle::solve {
namespace {

using Places = std::vector<size_t>;  // of each event in the order

bool read_is_right(const Read& read, const Places& place) {
  if (read.own_store != kNoEvent && place[read.read] < place[read.own_store]) return read.own_store_matches;
  bool right = read.initial_matches;
  size_t next_free = 0;  // one past the place of the last write seen so far
  const auto look_at = [&](Event write, bool matches) {
    const size_t at = place[write];
    if (at >= place[read.read] || at + 1 <= next_free) return;
    next_free = at + 1;
    right = matches;
  };
  for (const Event source : read.sources) look_at(source, true);
  for (const Event other : read.others) look_at(other, false);
  return right;
}

bool sections_exclude(const Section& one, const Section& two, const Places& place) {
  if (one.shared && two.shared) return true;
  const bool one_ends_first = one.release != kNoEvent && place[one.release] < place[two.acquire];
  const bool two_ends_first = two.release != kNoEvent && place[two.release] < place[one.acquire];
  return one_ends_first || two_ends_first;
}

bool lock_is_respected(const Lock& lock, const Places& place) {
  for (size_t i = 0; i < lock.sections.size(); ++i) {
    const Section& section = lock.sections[i];
    if (section.release != kNoEvent && place[section.release] < place[section.acquire]) return false;
    for (size_t j = 0; j < i; ++j) {
      if (!sections_exclude(section, lock.sections[j], place)) return false;
    }
  }
  return true;
}

bool clause_holds(const Clause& clause, const Places& place, const std::vector<bool>& choices) {
  for (const Literal& literal : clause) {
    const bool holds = literal.kind == Literal::Kind::kChoice ? choices[literal.first] == literal.value
                                                              : place[literal.first] < place[literal.second];
    if (holds) return true;
  }
  return false;
}

}  // namespace

bool is_valid_order(const OrderProblem& problem, std::span<const Event> order, const std::vector<bool>& choices) {
  if (order.size() != problem.events || choices.size() != problem.choices) return false;
  constexpr size_t kNowhere = ~size_t{0};
  Places place(problem.events, kNowhere);
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] >= problem.events || place[order[i]] != kNowhere) return false;
    place[order[i]] = i;
  }
  for (const Edge& edge : problem.edges) {
    if (place[edge.before] >= place[edge.after]) return false;
  }
  for (const Read& read : problem.reads) {
    if (!read_is_right(read, place)) return false;
  }
  for (const Lock& lock : problem.locks) {
    if (!lock_is_respected(lock, place)) return false;
  }
  for (const Clause& clause : problem.clauses) {
    if (!clause_holds(clause, place, choices)) return false;
  }
  return true;
}

}  // namespace heddle::solve
