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
#include <map>
#include <set>
#include <shared_mutex>
#include <unordered_map>

#include "causal/cut.h"
#include "check/analyses.h"
#include "check/asked_cuts.h"
#include "check/budget.h"
#include "check/part.h"
#include "check/work.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"

namespace heddle::check {

class McrExplorer : public WorkSource {
 public:
  McrExplorer(const Options& options, causal::Histories& histories, Budget& budget);

  std::unique_ptr<Work> take() override;
  void commit(Work& done, Bench& bench) override;
  gaps::Gaps gaps() const override { return gaps_; }
  solve::Statistics solved() const override { return solved_; }
  void describe(CheckStatistics& statistics) const override;
  bool save(CheckpointSections& sections) override;  // mcr_checkpoint.cpp
  void restore(base::ByteReader& in) override;

 private:
  struct Node {
    Part part;
    std::vector<property::PlannedStep> plan;
  };
  // A cut that might become a node, and what the solver said about it.
  struct Candidate {
    Node node;
    CutKey key;       // of the node
    CutKey question;  // of what is asked about it
    causal::Alternative alternative;
    bool is_asked = false, is_feasible = false, is_unknown = false;
    solve::Statistics solved;
  };
  class NodeWork;
  // What a worker asks with: memory that questions share.
  struct Questions : Bench::Scratch {
    explicit Questions(causal::MemoryModel model) : problem(model) {}
    property::CutProblem problem;
    property::CutClosure closure;
    std::shared_ptr<const Analysis> about;
    // Of the candidate at hand.
    causal::Cut kept;
    Part part;
    std::vector<uint32_t> key;
  };

  // For questions about this execution, until the next call; null: it is too large.
  Questions* questions_about(const ExecutionRef& execution, Bench& bench) const;
  bool contains(const causal::Execution& execution, const Node& node) const {
    return check::contains(execution, node.part, histories_);
  }
  std::optional<size_t> representative_of(const Node& node) const;
  bool expand(NodeWork& work, Bench& bench) const;
  void try_alternative(NodeWork& work, Questions& questions, const causal::Alternative& alternative) const;
  void extend_freely(causal::Cut& cut, const Analysis& analysis, causal::ThreadId changed) const;
  void ask(Candidate& candidate, Questions& questions, Bench& bench) const;
  void announce(const NodeWork& work) const;
  ExecutionRef expected_for(const NodeWork& work) const;
  void withdraw(const NodeWork& work);
  void add_run(const ExecutionRef& execution);

  const Options& options_;
  causal::Histories& histories_;
  Budget& budget_;
  mutable AskedCuts asked_;
  mutable Analyses analyses_;

  // Only where work is taken and committed.
  std::deque<Node> frontier_;  // those taken and not committed come first
  AskedCuts nodes_;            // all there ever were
  uint64_t node_count_ = 0;
  size_t taken_ = 0;
  uint64_t committed_ = 0;
  gaps::Gaps gaps_;
  solve::Statistics solved_;

  // Changed where work is committed, read by all workers.
  mutable std::shared_mutex runs_lock_;
  std::vector<ExecutionRef> runs_;
  std::unordered_map<causal::HistoryId, std::vector<uint32_t>> runs_with_;  // by history: runs that have it, ascending
  // By work: runs that will count unless something before them makes them superfluous.
  mutable std::map<uint64_t, ExecutionRef> expected_;
};

}  // namespace heddle::check
