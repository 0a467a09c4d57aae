// SPDX-License-Identifier: Apache-2.0
//
// Most events of a long execution take part in no constraint but the order of
// their thread: private data, variables that nobody else writes. Such an event,
// if just one event must come before it, can always stand directly behind that
// one. So both are treated as one, and a problem with 10,000 events, of which
// 20 matter, costs as much as one with 20.
//
//   edges 0 -> 1 -> 2 -> 3, only 0 and 3 are read or written by others:
//   the solver sees 0 -> 3; its order 0 3 becomes 0 1 2 3.
#pragma once

#include "solve/order_problem.h"

namespace heddle::solve {

class Contraction {
 public:
  // With no more events than that it would not pay.
  explicit Contraction(uint32_t few_events = 256) : few_events_(few_events) {}

  // False: the problem is best solved as it is.
  bool run(const OrderProblem& problem);

  // The smaller problem; choices and constraints are the same.
  const OrderProblem& problem() const { return smaller_; }
  // Its order, with the events that were left out.
  std::vector<Event> expand(const std::vector<Event>& order) const;

 private:
  bool sort_events(const OrderProblem& problem);
  void find_involved(const OrderProblem& problem);
  void fill_problem(const OrderProblem& problem);

  const uint32_t few_events_;
  OrderProblem smaller_;
  std::vector<bool> involved_;   // by event: in a read, a lock or a clause
  std::vector<Event> sorted_;    // in an order that the edges allow
  std::vector<Event> before_;    // by event: the one that must come before it; kNoEvent: none or several
  std::vector<Event> leader_;    // by event: the one that it stands behind, or itself
  std::vector<Event> number_;    // by leader: its number in the smaller problem
  std::vector<uint32_t> first_;  // by number: where its events begin in members_
  std::vector<Event> members_;   // a leader, then those behind it
};

}  // namespace heddle::solve
