// SPDX-License-Identifier: Apache-2.0
#include "property/unordered.h"

#include <algorithm>

#include "causal/operation.h"
#include "property/happens_before.h"

namespace heddle::property {

using causal::Cut;
using causal::EventId;
using causal::Happening;
using solve::Clause;
using solve::Event;
using solve::kNoEvent;
using solve::Literal;

namespace {

constexpr int kMostRounds = 200;

class Breaker {
 public:
  Breaker(const causal::Dependences& dependences, CutProblem& problem, const Cut& cut)
      : dependences_(dependences), problem_(problem), cut_(cut) {}

  // At least one step of the path is missing. False: none can be.
  bool break_one(const std::vector<Synchronisation>& path) {
    Clause clause;
    for (const Synchronisation& step : path) {
      if (step.reads.empty()) add_before(clause, problem_.event_of(step.to), problem_.event_of(step.from));
      for (const ReadLink& link : step.reads) clause.push_back(Literal::choice(broken(link)));
    }
    if (clause.empty()) return false;
    problem_.order_problem().clauses.push_back(std::move(clause));
    return true;
  }

 private:
  static void add_before(Clause& clause, Event first, Event second) {
    if (first != kNoEvent && second != kNoEvent && first != second) clause.push_back(Literal::before(first, second));
  }

  // A choice that implies: `to` takes no byte from `from`.
  uint32_t broken(const ReadLink& link) {
    solve::OrderProblem& problem = problem_.order_problem();
    const uint32_t choice = problem.choices++;
    const Event read = problem_.event_of(link.to), write = problem_.event_of(link.from);
    for (const causal::Segment& segment : dependences_.segments(link.to)) {
      const auto is_source = [&](const causal::Source& source) { return source.write == link.from; };
      if (std::none_of(segment.sources.begin(), segment.sources.end(), is_source)) continue;
      Clause clause = {Literal::choice(choice, false)};
      add_before(clause, read, write);
      for (const causal::Source& source : segment.sources) {
        if (is_source(source) || source.write == link.to || !causal::contains(cut_, source.write)) continue;
        const Event other = problem_.event_of(source.write);
        if (other == kNoEvent || other == read || other == write) continue;
        // Still in the own buffer, it is taken from there.
        if (source.write.thread == link.to.thread) add_before(clause, read, other);
        const uint32_t between = problem.choices++;
        problem.clauses.push_back({Literal::choice(between, false), Literal::before(write, other)});
        problem.clauses.push_back({Literal::choice(between, false), Literal::before(other, read)});
        clause.push_back(Literal::choice(between));
      }
      problem.clauses.push_back(std::move(clause));
    }
    return choice;
  }

  const causal::Dependences& dependences_;
  CutProblem& problem_;
  const Cut& cut_;
};

}  // namespace

std::vector<Happening> happenings_of(const std::vector<PlannedStep>& plan, const Cut& cut,
                                     const causal::Execution& execution) {
  std::vector<Happening> order;
  for (const PlannedStep& step : plan) {
    if (step.kind == schedule::StepKind::kWake) continue;
    order.push_back({step.event, step.kind == schedule::StepKind::kFlush});
    if (order.back().is_flush) continue;
    EventId next = {step.event.thread, step.event.index + 1};
    for (; causal::contains(cut, next) && execution.operation(next).kind == HEDDLE_EXTERN_WRITE; ++next.index)
      order.push_back({next, false});
  }
  return order;
}

UnorderedSearch find_unordered_order(const causal::Dependences& dependences, CutProblem& problem, const Cut& cut,
                                     EventId one, EventId other, bool is_free, causal::MemoryModel model,
                                     RacyReads racy_reads, const AskSolver& ask) {
  UnorderedSearch search;
  const EventId free[] = {other};
  problem.set_free(is_free ? std::span<const EventId>(free) : std::span<const EventId>());
  const bool is_possible = problem.build(cut);
  problem.set_free({});
  if (!is_possible) return search;
  if (is_free) problem.put_last(other);
  Breaker breaker(dependences, problem, cut);
  for (int round = 0; round < kMostRounds; ++round) {
    const solve::Answer answer = ask(problem.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) search.is_complete = false;
    if (answer.kind != solve::Answer::Kind::kOrder) return search;
    search.plan = problem.steps(answer.order);
    const HappensBefore order(dependences.execution(), happenings_of(search.plan, cut, dependences.execution()), model,
                              racy_reads);
    const bool forwards = order.before(one, other);
    if (!forwards && !order.before(other, one)) {
      search.is_found = true;
      return search;
    }
    if (!breaker.break_one(forwards ? order.path(one, other) : order.path(other, one))) return search;
  }
  search.is_complete = false;
  return search;
}

}  // namespace heddle::property
