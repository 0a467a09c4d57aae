// SPDX-License-Identifier: Apache-2.0
//
// Search for what saturation left open: a SAT solver (CaDiCaL) chooses among the
// ways in which the open constraints can be met. A variable stands for one of
// two edges; that edges must not form a cycle is not told in advance, but when a
// choice makes one: then the edges of that cycle are excluded together, and the
// solver goes on. Variables exist only for pairs of events that a constraint
// names, and prefer the order that GuidedOrder found.
//
// Only edges that a clause asks for count. If the solver sets a variable to false
// and no clause asks for the reverse edge, nothing follows; so fewer cycles arise,
// and every order of the acyclic rest still meets all clauses.
#pragma once

#include <unordered_map>

#include "solve/saturation.h"

namespace CaDiCaL {
class Solver;
}

namespace heddle::solve {

class OrderSearch {
 public:
  // `guess` is an order of the closure. On kOrder, order() and choices() solve the problem.
  Answer::Kind run(const OrderProblem& problem, const Saturation& saturation, const std::vector<Event>& guess,
                   const Budget& budget);

  const std::vector<Event>& order() const { return order_; }
  const std::vector<bool>& choices() const { return choices_; }

 private:
  using SatLiteral = int;  // kTrue and kFalse are constants, others as CaDiCaL counts them
  struct Variable {
    Edge when_true{kNoEvent, kNoEvent}, when_false{kNoEvent, kNoEvent};
  };
  struct GraphEdge {
    Event target;
    SatLiteral reason;  // 0: certain
  };

  void encode(const OrderProblem& problem);
  void encode_read(const OpenRead& read);
  SatLiteral new_variable(bool preferred);
  SatLiteral before(Event first, Event second);
  void put(SatLiteral literal);
  void end_clause();

  void collect_graph();
  bool sort_graph();
  void exclude_cycles();
  void find_components();
  void find_paths(Event from);

  const Saturation* saturation_ = nullptr;
  CaDiCaL::Solver* solver_ = nullptr;
  std::vector<Variable> variables_;
  std::vector<SatLiteral> choice_variables_;
  std::unordered_map<uint64_t, SatLiteral> variable_of_pair_;
  std::vector<SatLiteral> clause_;
  bool clause_holds_ = false;

  std::vector<uint32_t> rank_;  // by event: place in the guess
  std::vector<Event> by_rank_;
  std::vector<std::pair<Edge, SatLiteral>> edges_;
  std::vector<uint32_t> first_edge_;
  std::vector<GraphEdge> graph_;
  std::vector<uint32_t> waiting_for_;  // by event
  std::vector<Word> ready_;

  // For finding cycles; all by event, but for the lists.
  std::vector<uint32_t> component_, visited_, lowest_, next_edge_, distance_;
  std::vector<std::pair<Event, SatLiteral>> came_from_;
  std::vector<Event> path_, pending_, near_, far_;

  std::vector<Event> order_;
  std::vector<bool> choices_;
};

}  // namespace heddle::solve
