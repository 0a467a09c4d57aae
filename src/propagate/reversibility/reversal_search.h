// SPDX-License-Identifier: Apache-2.0
//
// Can the second of two events come before the first? The clocks say that
// nothing orders them for certain; locks still may. First the plain way: let
// happen what the second one needs, finish the sections that are then open, and
// go on as in the run. Where that breaks the exclusion of a lock, the order
// solver decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "propagate/reversibility/conflicts.h"
#include "propagate/reversibility/reversibility.h"
#include "propagate/reversibility/sync_graph.h"
#include "solve/order_problem.h"

namespace heddle::propagate {

class ReversalSearch {
 public:
  ReversalSearch(const SyncGraph& graph, const ReversibilityOptions& options);

  enum class Outcome : uint8_t { kFound, kNone, kGaveUp };
  // One of the candidates that can be reversed, with its order.
  Outcome run(std::span<const Candidate> candidates);
  const Reversal& reversal() const { return reversal_; }
  uint64_t queries() const { return queries_; }

 private:
  struct Question {
    Candidate candidate;
    Node floor;    // the last node up to the second event: all up to it must happen
    Node ceiling;  // the first node from the first event on: none from it may have happened
  };
  struct LockStep {
    uint32_t lock = kNone;
    bool acquires = false;
    bool is_shared = false;
  };

  Question question_of(const Candidate& candidate) const;
  void add_needed(Node node, std::vector<bool>* needed) const;
  void finish_sections(std::vector<bool>* needed) const;
  std::optional<std::vector<Node>> order_ahead(const Question& question) const;
  bool respects_locks(const std::vector<Node>& order) const;
  Outcome ask_solver(std::span<const Question> questions);
  solve::OrderProblem make_problem() const;
  void keep(const Question& question, const std::vector<Node>& order);

  const SyncGraph& graph_;
  ReversibilityOptions options_;
  std::vector<LockStep> lock_steps_;  // by node
  Reversal reversal_;
  uint64_t queries_ = 0;
};

}  // namespace heddle::propagate
