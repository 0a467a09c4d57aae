// SPDX-License-Identifier: Apache-2.0
#include "check/mcr_explorer.h"

#include <algorithm>
#include <span>

#include "base/check.h"
#include "causal/operation.h"
#include "causal/unmodelled.h"
#include "check/alternatives.h"
#include "check/common_number.h"
#include "check/relaxed_question.h"

namespace heddle::check {

using causal::Alternative;
using causal::Cut;
using causal::EventId;
using causal::Execution;
using causal::HistoryId;
using causal::ThreadId;

namespace {

uint32_t cut_at(const Cut& cut, ThreadId thread) { return thread < cut.size() ? cut[thread] : 0; }

// What would have been done, had others not released the block before, is not known.
bool failed_because_of_others(const causal::ThreadPart& part) {
  return !part.operations.empty() && causal::fails_because_of_others(part.operations.back());
}

}  // namespace

// One node: a representative for it, and what the solver says about the nodes
// that may follow.
class McrExplorer::NodeWork : public Work {
 public:
  NodeWork(const McrExplorer& explorer, const Node& node, uint64_t number)
      : explorer(explorer), node(node), number(number) {}

  std::optional<Job> begin(Bench&) override {
    const std::shared_lock<std::shared_mutex> guard(explorer.runs_lock_);
    runs_seen = explorer.runs_.size();
    const std::optional<size_t> run = explorer.representative_of(node);
    is_certain = run.has_value();
    representative = run ? explorer.runs_[*run] : explorer.expected_for(*this);
    if (representative) return std::nullopt;
    return Job{.plan = node.plan};
  }

  bool has_other_run() override {
    const std::shared_lock<std::shared_mutex> guard(explorer.runs_lock_);
    representative = first_since();
    is_certain = representative != nullptr;
    if (!is_certain) representative = explorer.expected_for(*this);
    return representative != nullptr;
  }

  bool study(Bench& bench, ExecutionRef execution) override {
    candidates.clear();
    gaps = {};
    is_new_run = execution != nullptr;
    if (is_new_run) {
      representative = causal::before_first_misuse(std::move(execution));
      explorer.announce(*this);
    }
    return explorer.expand(*this, bench);
  }

  // Runs that were added since it began have higher numbers than those it knew,
  // so a single worker would take the first of them that fits, and run the program
  // if there is none.
  bool still_holds() override {
    if (is_certain) return true;
    const ExecutionRef first = first_since();
    return first ? first == representative : is_new_run || !representative;
  }

  ExecutionRef first_since() const {
    for (size_t run = runs_seen; run < explorer.runs_.size(); ++run)
      if (explorer.contains(*explorer.runs_[run], node)) return explorer.runs_[run];
    return nullptr;
  }

  const McrExplorer& explorer;
  const Node& node;
  const uint64_t number;
  size_t runs_seen = 0;
  bool is_certain = false;  // the representative counted when it was chosen
  ExecutionRef representative;
  bool is_new_run = false;
  std::vector<Candidate> candidates;
  gaps::Gaps gaps;
};

McrExplorer::McrExplorer(const Options& options, causal::Histories& histories, Budget& budget)
    : options_(options), histories_(histories), budget_(budget), analyses_(options) {
  frontier_.emplace_back();
}

void McrExplorer::describe(CheckStatistics& statistics) const {
  statistics.prefixes = committed_ + frontier_.size();
  uint64_t bytes = node_count_ * sizeof(CutKey);
  for (const ExecutionRef& run : runs_)
    for (const causal::ThreadPart& part : run->threads)
      bytes += part.operations.size() * sizeof(HeddleRecord) + part.histories.size() * sizeof(HistoryId);
  for (const auto& [history, runs] : runs_with_) bytes += sizeof(history) + runs.size() * sizeof(uint32_t);
  statistics.shared_bytes = bytes;
}

std::unique_ptr<Work> McrExplorer::take() {
  if (taken_ == frontier_.size()) return nullptr;
  const Node& node = frontier_[taken_];
  return std::make_unique<NodeWork>(*this, node, committed_ + taken_++);
}

void McrExplorer::commit(Work& done, Bench& bench) {
  NodeWork& work = static_cast<NodeWork&>(done);
  if (work.is_new_run) add_run(work.representative);
  withdraw(work);
  gaps_.merge(work.gaps);
  for (Candidate& candidate : work.candidates) {
    if (!asked_.settle(candidate.question)) continue;
    if (!candidate.is_asked) ask(candidate, *questions_about(work.representative, bench), bench);
    solved_ += candidate.solved;
    if (candidate.is_unknown) gaps_.raise(HEDDLE_GAP_SOLVER_GAVE_UP);
    if (!candidate.is_feasible || !nodes_.settle(candidate.key)) continue;
    ++node_count_;
    frontier_.push_back(std::move(candidate.node));
  }
  frontier_.pop_front();
  --taken_;
  ++committed_;
}

// Lets later work know of a run before it counts.
void McrExplorer::announce(const NodeWork& work) const {
  const std::unique_lock<std::shared_mutex> guard(runs_lock_);
  expected_[work.number] = work.representative;
}

void McrExplorer::withdraw(const NodeWork& work) {
  const std::unique_lock<std::shared_mutex> guard(runs_lock_);
  expected_.erase(work.number);
}

// The run that will probably represent the node by the time its work counts; null: none is known.
ExecutionRef McrExplorer::expected_for(const NodeWork& work) const {
  for (const auto& [number, execution] : expected_) {
    if (number >= work.number) break;
    if (contains(*execution, work.node)) return execution;
  }
  return nullptr;
}

void McrExplorer::add_run(const ExecutionRef& execution) {
  const std::unique_lock<std::shared_mutex> guard(runs_lock_);
  const uint32_t number = static_cast<uint32_t>(runs_.size());
  runs_.push_back(execution);
  for (const causal::ThreadPart& part : execution->threads) {
    HistoryId last = ~0u;
    for (const HistoryId history : part.histories)
      if (history != last) runs_with_[last = history].push_back(number);
  }
}

std::optional<size_t> McrExplorer::representative_of(const Node& node) const {
  if (runs_.empty()) return std::nullopt;
  std::vector<std::span<const uint32_t>> lists;
  for (ThreadId t = 0; t < node.part.known.size(); ++t) {
    if (cut_at(node.part.cut, t) == 0) continue;
    const auto found = runs_with_.find(node.part.known[t]);
    if (found == runs_with_.end()) return std::nullopt;
    lists.push_back(found->second);
  }
  if (lists.empty()) return 0;
  return find_common(std::move(lists), [&](uint32_t run) { return contains(*runs_[run], node); });
}

McrExplorer::Questions* McrExplorer::questions_about(const ExecutionRef& execution, Bench& bench) const {
  if (!bench.scratch) bench.scratch = std::make_unique<Questions>(options_.memory);
  Questions& questions = static_cast<Questions&>(*bench.scratch);
  if (questions.about && questions.about->execution == execution) return &questions;
  questions.about = analyses_.of(execution, bench.dependences);
  if (!questions.about) return nullptr;
  questions.problem.look_at(*questions.about->dependences, questions.about->places);
  questions.closure.look_at(questions.about->needs);
  return &questions;
}

bool McrExplorer::expand(NodeWork& work, Bench& bench) const {
  if (!contains(*work.representative, work.node)) {
    work.gaps.raise(HEDDLE_GAP_NONDETERMINISTIC, "the program did not do the same again under the same schedule");
    return true;
  }
  Questions* const questions = questions_about(work.representative, bench);
  if (!questions) {
    work.gaps.raise(HEDDLE_GAP_EXECUTION_TOO_LARGE);
    return true;
  }
  const Execution& execution = *work.representative;
  const auto try_others = [&](EventId event) {
    Alternatives alternatives = alternatives_of(*questions->about->dependences, event);
    work.gaps.merge(alternatives.gaps);
    for (const Alternative& alternative : alternatives.list) {
      if (budget_.is_spent()) return false;
      if (!only_repeats(execution, alternative)) try_alternative(work, *questions, alternative);
    }
    return true;
  };
  for (const EventId free : work.node.part.free)
    if (!try_others(free)) return false;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (uint32_t i = cut_at(work.node.part.cut, t); i < execution.length(t); ++i) {
      const HeddleRecord& operation = execution.operation({t, i});
      if (!causal::teaches(operation) && !causal::ends_wait(operation)) continue;
      if (!try_others({t, i})) return false;
    }
  }
  if (std::any_of(execution.threads.begin(), execution.threads.end(), failed_because_of_others))
    work.gaps.raise(HEDDLE_GAP_REVERSALS_LEFT_OUT,
                    "after a use of released memory, orders in which the same operation comes earlier");
  if (execution.is_cut) work.gaps.raise(HEDDLE_GAP_AFTER_MISUSE);
  for (const causal::Waiting& waiting : execution.waiting)
    for (const Alternative& alternative : waited_for(execution, waiting))
      try_alternative(work, *questions, alternative);
  for (Candidate& candidate : work.candidates) {
    if (budget_.is_spent()) return false;
    if (candidate.is_asked) ask(candidate, *questions, bench);
  }
  return true;
}

// Lists the closures with this alternative. Those that nobody before has claimed
// are marked to be asked.
void McrExplorer::try_alternative(NodeWork& work, Questions& questions, const Alternative& alternative) const {
  const Analysis& analysis = *questions.about;
  const Execution& execution = *analysis.execution;
  const Part& before = work.node.part;
  Cut& kept = questions.kept;
  kept = before.cut;
  kept.resize(execution.threads.size(), 0);
  for (Cut& cut : questions.closure.close(kept, alternative, before.pinned)) {
    extend_freely(cut, analysis, alternative.event.thread);
    make_part(execution, analysis.uses, cut, before, alternative, histories_, questions.part);
    // Histories and cut determine the operations, so the answer is the same from
    // every run; except that what a changed operation writes is not known.
    questions.part.make_key(questions.key);
    const CutKey key = cut_key(questions.key);
    CutKey question = key;
    if (causal::writes_memory(alternative.operation)) {
      questions.key.push_back(alternative.event.thread);
      question = cut_key(questions.key);
    }
    const AskedCuts::Claim claim = asked_.claim(question, work.number);
    if (claim == AskedCuts::Claim::kSettled) continue;
    Candidate& candidate = work.candidates.emplace_back();
    candidate.node.part = questions.part;
    candidate.key = key;
    candidate.question = question;
    candidate.alternative = alternative;
    candidate.is_asked = claim == AskedCuts::Claim::kWon;
  }
}

void McrExplorer::ask(Candidate& candidate, Questions& questions, Bench& bench) const {
  candidate.is_asked = true;
  const Analysis& analysis = *questions.about;
  const Part& part = candidate.node.part;
  questions.problem.set_free(part.free);
  if (!questions.problem.build(part.cut, &candidate.alternative)) return;
  const solve::Statistics before = bench.solver.statistics();
  const solve::Answer answer =
      analysis.late_uses
          ? ask_for_what_matters(questions.problem, *analysis.late_uses, part.cut, candidate.alternative.event,
                                 options_.reduction == Reduction::kMcrSPlus, bench.solver)
          : bench.solver.ask(questions.problem.order_problem());
  candidate.solved = bench.solver.statistics() - before;
  candidate.is_unknown = answer.kind == solve::Answer::Kind::kUnknown;
  candidate.is_feasible = answer.kind == solve::Answer::Kind::kOrder;
  if (candidate.is_feasible) candidate.node.plan = questions.problem.steps(answer.order);
}

// Operations that can always happen and tell their thread nothing: with them,
// fewer cuts are different.
void McrExplorer::extend_freely(Cut& cut, const Analysis& analysis, ThreadId changed) const {
  const Execution& execution = *analysis.execution;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    if (t == changed || cut[t] == 0) continue;
    while (cut[t] < execution.length(t)) {
      const HeddleRecord& next = execution.operation({t, cut[t]});
      if (causal::teaches(next) || causal::may_block(next) || next.kind == HEDDLE_ATOMIC_BEGIN) break;
      if (analysis.uses.uses_first({t, cut[t]})) break;  // a load would matter from here on
      ++cut[t];
    }
  }
}

}  // namespace heddle::check
