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
  if (contains(*execution, node)) {
    expand(node, number);
  } else {
    gaps_.insert("the program did not do the same again under the same schedule");
  }
}

bool McrExplorer::contains(const Execution& execution, const Node& node) {
  for (ThreadId t = 0; t < node.cut.size(); ++t) {
    if (node.cut[t] == 0) continue;
    if (execution.length(t) < node.cut[t] || execution.threads[t].histories[node.cut[t]] != node.histories[t]) return false;
  }
  return true;
}

std::optional<size_t> McrExplorer::representative_of(const Node& node) const {
  if (runs_.empty()) return std::nullopt;
  const std::vector<uint32_t>* fewest = nullptr;
  for (ThreadId t = 0; t < node.histories.size(); ++t) {
    if (cut_at(node.cut, t) == 0) continue;
    const auto found = runs_with_.find(node.histories[t]);
    if (found == runs_with_.end()) return std::nullopt;
    if (!fewest || found->second.size() < fewest->size()) fewest = &found->second;
  }
  if (!fewest) return 0;
  for (const uint32_t run : *fewest) {
    if (contains(*runs_[run], node)) return run;
  }
  return std::nullopt;
}

McrExplorer::Analysis& McrExplorer::analysis_of(size_t run) {
  for (auto& [number, analysis] : analyses_)
    if (number == run) return *analysis;
  if (analyses_.size() == kAnalysesKept) analyses_.pop_front();
  analyses_.emplace_back(run, std::make_unique<Analysis>(runs_[run], options_.memory));
  return *analyses_.back().second;
}

void McrExplorer::expand(const Node& node, size_t run) {
  if (causal::is_too_large(*runs_[run])) {
    gaps_.insert("an execution has too many threads or operations to look for others");
    return;
  }
  Analysis& analysis = analysis_of(run);
  const Execution& execution = *analysis.execution;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (uint32_t i = cut_at(node.cut, t); i < execution.length(t); ++i) {
      if (!causal::teaches(execution.operation({t, i})) && execution.operation({t, i}).kind != HEDDLE_COND_RESUME) continue;
      Alternatives alternatives = alternatives_of(analysis.dependences, {t, i});
      if (!alternatives.incomplete.empty()) gaps_.insert(alternatives.incomplete);
      for (const Alternative& alternative : alternatives.list)
        if (!budget_.is_spent() && !only_repeats(execution, alternative)) try_alternative(node, analysis, alternative);
    }
  }
  for (const causal::Waiting& waiting : execution.waiting)
    for (const Alternative& alternative : waited_for(execution, waiting)) try_alternative(node, analysis, alternative);
}

void McrExplorer::try_alternative(const Node& node, Analysis& analysis, const Alternative& alternative) {
  const Execution& execution = *analysis.execution;
  const EventId changed = alternative.event;
  Cut kept = node.cut;
  kept.resize(execution.threads.size(), 0);
  for (Cut& cut : analysis.closure.close(kept, alternative)) {
    extend_freely(cut, execution, changed.thread);
    Node child;
    child.histories.resize(cut.size());
    std::vector<uint32_t> key;
    key.reserve(3 * cut.size());
    for (ThreadId t = 0; t < cut.size(); ++t) {
      if (cut[t] == 0) continue;
      child.histories[t] = execution.threads[t].histories[t == changed.thread ? changed.index : cut[t]];
      if (t == changed.thread && causal::teaches(alternative.operation))
        child.histories[t] = histories_.after(child.histories[t], causal::lesson_of(alternative.operation));
      key.insert(key.end(), {t, child.histories[t], cut[t]});
    }
    // Histories and cut determine the operations, so the answer is the same from every run.
    if (!asked_.insert(std::move(key)).second) continue;
    if (!analysis.problem.build(cut, &alternative)) continue;
    const solve::Answer answer = solver_.ask(analysis.problem.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) gaps_.insert("the solver gave up on a question");
    if (answer.kind != solve::Answer::Kind::kOrder) continue;
    child.plan = analysis.problem.steps(answer.order);
    child.cut = std::move(cut);
    frontier_.push_back(std::move(child));
  }
}

// Operations that can always happen and tell their thread nothing: with them,
// fewer cuts are different.
void McrExplorer::extend_freely(Cut& cut, const Execution& execution, ThreadId changed) const {
  for (ThreadId t = 0; t < cut.size(); ++t) {
    if (t == changed || cut[t] == 0) continue;
    while (cut[t] < execution.length(t)) {
      const HeddleRecord& next = execution.operation({t, cut[t]});
      if (causal::teaches(next) || causal::may_block(next) || next.kind == HEDDLE_ATOMIC_BEGIN) break;
      ++cut[t];
    }
  }
}

}  // namespace heddle::check
