// SPDX-License-Identifier: Apache-2.0
#include "check/mcr_explorer.h"

#include <algorithm>

#include "base/check.h"
#include "causal/operation.h"
#include "causal/unmodelled.h"
#include "check/alternatives.h"

namespace heddle::check {

using causal::Alternative;
using causal::Cut;
using causal::EventId;
using causal::Execution;
using causal::HistoryId;
using causal::ThreadId;

namespace {

constexpr size_t kAnalysesKept = 64;

uint32_t cut_at(const Cut& cut, ThreadId thread) { return thread < cut.size() ? cut[thread] : 0; }

}  // namespace

size_t McrExplorer::KeyHash::operator()(const std::vector<uint32_t>& key) const {
  uint64_t hash = key.size();
  for (const uint32_t word : key) hash = (hash ^ word) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
  return hash;
}

McrExplorer::McrExplorer(const Options& options, causal::Histories& histories, QuerySolver& solver, Budget& budget)
    : options_(options), histories_(histories), solver_(solver), budget_(budget) {
  frontier_.emplace_back();
}

std::vector<Reason> McrExplorer::gaps() const {
  std::vector<Reason> reasons;
  for (const std::string& gap : gaps_) reasons.push_back({"not-covered", gap});
  return reasons;
}

std::optional<Job> McrExplorer::next() {
  while (!frontier_.empty() && !budget_.is_spent()) {
    const std::optional<size_t> run = representative_of(frontier_.front());
    if (!run) return Job{.plan = frontier_.front().plan};
    const Node node = std::move(frontier_.front());
    frontier_.pop_front();
    expand(node, *run);
  }
  return std::nullopt;
}

void McrExplorer::learn(ExecutionRef execution) {
  const uint32_t number = static_cast<uint32_t>(runs_.size());
  runs_.push_back(execution);
  for (const causal::ThreadPart& part : execution->threads) {
    HistoryId last = ~0u;
    for (const HistoryId history : part.histories)
      if (history != last) runs_with_[last = history].push_back(number);
  }
  const Node node = std::move(frontier_.front());
  frontier_.pop_front();
  if (contains(*execution, node.part, histories_)) {
    expand(node, number);
  } else {
    gaps_.insert("the program did not do the same again under the same schedule");
  }
}

std::optional<size_t> McrExplorer::representative_of(const Node& node) const {
  if (runs_.empty()) return std::nullopt;
  const std::vector<uint32_t>* fewest = nullptr;
  for (ThreadId t = 0; t < node.part.known.size(); ++t) {
    if (cut_at(node.part.cut, t) == 0) continue;
    const auto found = runs_with_.find(node.part.known[t]);
    if (found == runs_with_.end()) return std::nullopt;
    if (!fewest || found->second.size() < fewest->size()) fewest = &found->second;
  }
  if (!fewest) return 0;
  for (const uint32_t run : *fewest) {
    if (contains(*runs_[run], node.part, histories_)) return run;
  }
  return std::nullopt;
}

McrExplorer::Analysis& McrExplorer::analysis_of(size_t run) {
  for (auto& [number, analysis] : analyses_)
    if (number == run) return *analysis;
  if (analyses_.size() == kAnalysesKept) analyses_.pop_front();
  analyses_.emplace_back(run, std::make_unique<Analysis>(runs_[run], options_));
  return *analyses_.back().second;
}

void McrExplorer::expand(const Node& node, size_t run) {
  if (causal::is_too_large(*runs_[run])) {
    gaps_.insert("an execution has too many threads or operations to look for others");
    return;
  }
  Analysis& analysis = analysis_of(run);
  const Execution& execution = *analysis.execution;
  const auto try_others = [&](EventId event) {
    Alternatives alternatives = alternatives_of(analysis.dependences, event);
    if (!alternatives.incomplete.empty()) gaps_.insert(alternatives.incomplete);
    for (const Alternative& alternative : alternatives.list)
      if (!budget_.is_spent() && !only_repeats(execution, alternative)) try_alternative(node, analysis, alternative);
  };
  for (const EventId free : node.part.free) try_others(free);
  for (ThreadId t = 0; t < execution.threads.size(); ++t)
    for (uint32_t i = cut_at(node.part.cut, t); i < execution.length(t); ++i)
      if (causal::teaches(execution.operation({t, i})) || execution.operation({t, i}).kind == HEDDLE_COND_RESUME) try_others({t, i});
  for (const causal::Waiting& waiting : execution.waiting)
    for (const Alternative& alternative : waited_for(execution, waiting)) try_alternative(node, analysis, alternative);
}

void McrExplorer::try_alternative(const Node& node, Analysis& analysis, const Alternative& alternative) {
  const Execution& execution = *analysis.execution;
  const EventId changed = alternative.event;
  Cut kept = node.part.cut;
  kept.resize(execution.threads.size(), 0);
  const bool keep_own = options_.reduction == Reduction::kMcrSPlus;
  for (Cut& cut : analysis.closure.close(kept, alternative, node.part.pinned)) {
    extend_freely(cut, analysis, changed.thread);
    Node child;
    child.part = make_part(execution, analysis.uses, std::move(cut), node.part, alternative, keep_own, histories_);
    // Histories and cut determine the operations, so the answer is the same from every run.
    if (!asked_.insert(child.part.key()).second) continue;
    analysis.problem.set_free(child.part.free);
    if (!analysis.problem.build(child.part.cut, &alternative)) continue;
    const solve::Answer answer = solver_.ask(analysis.problem.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) gaps_.insert("the solver gave up on a question");
    if (answer.kind != solve::Answer::Kind::kOrder) continue;
    child.plan = analysis.problem.steps(answer.order);
    frontier_.push_back(std::move(child));
  }
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
