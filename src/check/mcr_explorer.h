// SPDX-License-Identifier: Apache-2.0
//
// Maximal causality reduction, in a form that loses nothing: one execution per
// class of executions in which every thread learns the same values.
//
// A node is a cut of some execution, feasible by itself: a promise to explore
// all executions that extend it. Its representative is any execution that
// contains it; only if none is known yet, the program is run. Then, for each
// operation of the representative after the cut and each other way it could
// turn out, the closures of both (cut_closure.h) are asked of the solver, and
// each feasible one becomes a node, unless it was one before.
//
// Why every execution C is reached: take an order of C, and a node whose cut is
// part of C and closed under what each operation takes from others in that
// order. If the representative differs from C, look at the first operation in
// that order where it does: everything before it is in the representative as
// well, so one of the closures at hand is the one that this order prescribes,
// and the order itself shows that it is feasible. That child agrees with C on
// more, or on something earlier. docs/explanation/causal_exploration.md has the
// argument in full. Every new execution is a new class, because a node whose
// representative is known needs no run.
#pragma once

#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "causal/cut.h"
#include "causal/needs.h"
#include "check/budget.h"
#include "check/explorer.h"
#include "check/part.h"
#include "check/query_solver.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"

namespace heddle::check {

class McrExplorer : public Explorer {
 public:
  McrExplorer(const Options& options, causal::Histories& histories, QuerySolver& solver, Budget& budget);

  std::optional<Job> next() override;
  void learn(ExecutionRef execution) override;
  std::vector<Reason> gaps() const override;

 private:
  struct Node {
    Part part;
    std::vector<property::PlannedStep> plan;
  };
  // What is made from an execution for questions about it.
  struct Analysis {
    Analysis(ExecutionRef execution, const Options& options)
        : execution(std::move(execution)),
          dependences(*this->execution),
          uses(options.influence ? causal::FirstUses(*this->execution, *options.influence) : causal::FirstUses(*this->execution)),
          problem(dependences, options.memory),
          closure(dependences, &uses, options.reduction == Reduction::kMcrSPlus) {}
    ExecutionRef execution;
    causal::Dependences dependences;
    causal::FirstUses uses;
    property::CutProblem problem;
    property::CutClosure closure;
  };
  struct KeyHash {
    size_t operator()(const std::vector<uint32_t>& key) const;
  };

  Analysis& analysis_of(size_t run);
  std::optional<size_t> representative_of(const Node& node) const;
  void expand(const Node& node, size_t run);
  void try_alternative(const Node& node, Analysis& analysis, const causal::Alternative& alternative);
  void extend_freely(causal::Cut& cut, const Analysis& analysis, causal::ThreadId changed) const;

  const Options& options_;
  causal::Histories& histories_;
  QuerySolver& solver_;
  Budget& budget_;
  std::deque<Node> frontier_;
  std::unordered_set<std::vector<uint32_t>, KeyHash> asked_;  // cuts, by threads, histories and lengths
  std::vector<ExecutionRef> runs_;
  std::unordered_map<causal::HistoryId, std::vector<uint32_t>> runs_with_;  // by history: runs that have it, ascending
  std::deque<std::pair<size_t, std::unique_ptr<Analysis>>> analyses_;      // the latest few
  std::set<std::string> gaps_;
};

}  // namespace heddle::check
