// SPDX-License-Identifier: Apache-2.0
#include "check/published_explorer.h"

#include <algorithm>
#include <numeric>

#include "causal/operation.h"
#include "check/alternatives.h"

namespace heddle::check {

using causal::Alternative;
using causal::Cut;
using causal::EventId;
using causal::ThreadId;
using solve::Event;
using solve::kNoEvent;

PublishedExplorer::PublishedExplorer(const Options& options, QuerySolver& solver) : options_(options), solver_(solver) {
  seeds_.emplace_back();
}

std::optional<Job> PublishedExplorer::next() {
  if (seeds_.empty()) return std::nullopt;
  return Job{.plan = seeds_.front().plan};
}

void PublishedExplorer::learn(ExecutionRef execution) {
  Seed seed = std::move(seeds_.front());
  seeds_.pop_front();
  if (execution->ending.outcome == HEDDLE_OUTCOME_DIVERGED) return;  // the session says so
  execution = causal::before_first_misuse(std::move(execution));
  if (execution->is_cut) gaps_.raise(HEDDLE_GAP_AFTER_MISUSE);
  seed.cut.resize(execution->threads.size(), 0);
  Model model(*execution, options_.memory);
  for (const causal::Happening& happening : execution->order) {
    const HeddleRecord& operation = execution->operation(happening.event);
    if (happening.is_flush || causal::contains(seed.cut, happening.event)) continue;
    if (!causal::teaches(operation) && !causal::ends_wait(operation)) continue;
    const Alternatives alternatives = alternatives_of(model.dependences, happening.event);
    gaps_.merge(alternatives.gaps);
    for (const Alternative& alternative : alternatives.list) try_alternative(seed, model, alternative);
  }
  for (const causal::Waiting& waiting : execution->waiting)
    for (const Alternative& alternative : waited_for(*execution, waiting)) try_alternative(seed, model, alternative);
}

void PublishedExplorer::try_alternative(const Seed& seed, Model& model, const Alternative& alternative) {
  std::vector<Cut> cuts = model.closure.close(seed.cut, alternative);
  const auto size = [](const Cut& cut) { return std::accumulate(cut.begin(), cut.end(), uint64_t{0}); };
  std::sort(cuts.begin(), cuts.end(), [&](const Cut& one, const Cut& other) {
    return size(one) != size(other) ? size(one) < size(other) : one < other;
  });
  for (const Cut& cut : cuts) {
    if (!model.problem.build(cut, &alternative) || !keep_prefix(seed, cut, model.problem)) continue;
    const solve::Answer answer = solver_.ask(model.problem.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) gaps_.raise(HEDDLE_GAP_SOLVER_GAVE_UP);
    if (answer.kind != solve::Answer::Kind::kOrder) continue;
    std::vector<EventId> events(model.problem.order_problem().events);
    for (ThreadId t = 0; t < cut.size(); ++t)
      for (uint32_t i = 0; i < cut[t]; ++i)
        if (const Event event = model.problem.event_of({t, i}); event != kNoEvent) events[event] = {t, i};
    Seed child;
    child.cut = cut;
    for (const Event event : answer.order) child.order.push_back(events[event]);
    child.plan = model.problem.steps(answer.order);
    seeds_.push_back(std::move(child));
    return;  // one prefix for each value of each read
  }
}

// The prefix comes first, in its order. False: the cut does not contain it.
bool PublishedExplorer::keep_prefix(const Seed& seed, const Cut& cut, property::CutProblem& problem) {
  for (ThreadId t = 0; t < cut.size(); ++t)
    if (cut[t] < seed.cut[t]) return false;
  std::vector<solve::Edge>& edges = problem.order_problem().edges;
  Event last = kNoEvent;
  for (const EventId member : seed.order) {
    const Event event = problem.event_of(member);
    if (last != kNoEvent) edges.push_back({last, event});
    last = event;
  }
  if (last == kNoEvent) return true;
  for (ThreadId t = 0; t < cut.size(); ++t) {
    for (uint32_t i = seed.cut[t]; i < cut[t]; ++i) {
      const Event event = problem.event_of({t, i});
      if (event != kNoEvent) edges.push_back({last, event});
    }
  }
  return true;
}

}  // namespace heddle::check
