// SPDX-License-Identifier: Apache-2.0
//
// Maximal causality reduction exactly as published (003, section 3.1.4 and
// Figure 3.4): --reduce=mcr-published, for comparison with the published tables.
//
// A seed interleaving is run as the prefix of an execution. For each read after
// the prefix and each other value that some write offers, the solver is asked
// for an order that keeps the prefix as it is and lets the read take that value;
// the shortest such prefix becomes a new seed. Seeds are never compared with
// each other.
//
// Known to lose states: keeping the order of the prefix excludes orders that a
// later read would need. What mcr_explorer.h does instead loses nothing.
//
// "Shortest" is the smallest closed part of the execution (cut_closure.h) that
// has such an order. Store buffers are those of the runtime, with forwarding,
// so fewer behaviours are lost under TSO and PSO than with the printed rules.
#pragma once

#include <deque>
#include <set>

#include "causal/cut.h"
#include "causal/needs.h"
#include "check/explorer.h"
#include "check/options.h"
#include "check/query_solver.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"

namespace heddle::check {

class PublishedExplorer : public Explorer {
 public:
  // The references must outlive this.
  PublishedExplorer(const Options& options, QuerySolver& solver);

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  gaps::Gaps gaps() const override { return gaps_; }

 private:
  struct Seed {
    causal::Cut cut;                     // what the prefix contains
    std::vector<causal::EventId> order;  // of what matters to others, as the prefix has it
    std::vector<property::PlannedStep> plan;
  };
  struct Model {
    Model(const causal::Execution& execution, causal::MemoryModel model)
        : execution(execution), dependences(execution), problem(dependences, model), closure(dependences) {}
    const causal::Execution& execution;
    causal::Dependences dependences;
    property::CutProblem problem;
    property::CutClosure closure;
  };

  void try_alternative(const Seed& seed, Model& model, const causal::Alternative& alternative);
  static bool keep_prefix(const Seed& seed, const causal::Cut& cut, property::CutProblem& problem);

  const Options& options_;
  QuerySolver& solver_;
  std::deque<Seed> seeds_;
  gaps::Gaps gaps_;
};

}  // namespace heddle::check
