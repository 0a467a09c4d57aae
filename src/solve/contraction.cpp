// SPDX-License-Identifier: Apache-2.0
#include "solve/contraction.h"

namespace heddle::solve {
namespace {

template <typename Visit>
void visit_constrained(const OrderProblem& problem, const Visit& visit) {
  for (const Read& read : problem.reads) {
    visit(read.read);
    visit(read.own_store);
    for (const Event event : read.sources) visit(event);
    for (const Event event : read.others) visit(event);
  }
  for (const Lock& lock : problem.locks) {
    for (const Section& section : lock.sections) {
      visit(section.acquire);
      visit(section.release);
    }
  }
  for (const Clause& clause : problem.clauses) {
    for (const Literal& literal : clause) {
      if (literal.kind != Literal::Kind::kBefore) continue;
      visit(literal.first);
      visit(literal.second);
    }
  }
}

}  // namespace

bool Contraction::run(const OrderProblem& problem) {
  if (problem.events <= few_events_ || !sort_events(problem)) return false;
  find_involved(problem);
  leader_.resize(problem.events);
  number_.assign(problem.events, kNoEvent);
  smaller_.events = 0;
  for (const Event event : sorted_) {
    const bool follows = !involved_[event] && before_[event] != kNoEvent;
    leader_[event] = follows ? leader_[before_[event]] : event;
    if (!follows) number_[event] = smaller_.events++;
  }
  if (smaller_.events > problem.events / 2) return false;
  first_.assign(smaller_.events + 1, 0);
  for (const Event event : sorted_) ++first_[number_[leader_[event]]];
  uint32_t end = 0;
  for (uint32_t& first : first_) first = end += first;
  members_.resize(problem.events);
  for (size_t i = sorted_.size(); i-- > 0;) members_[--first_[number_[leader_[sorted_[i]]]]] = sorted_[i];
  fill_problem(problem);
  return true;
}

// False: the edges have a cycle.
bool Contraction::sort_events(const OrderProblem& problem) {
  std::vector<uint32_t> waiting_for(problem.events, 0), first_edge(problem.events + 1, 0);
  std::vector<Event> targets(problem.edges.size());
  std::vector<bool> has_several(problem.events, false);
  before_.assign(problem.events, kNoEvent);
  for (const Edge& edge : problem.edges) {
    ++first_edge[edge.before];
    ++waiting_for[edge.after];
    if (before_[edge.after] != kNoEvent && before_[edge.after] != edge.before) has_several[edge.after] = true;
    before_[edge.after] = edge.before;
  }
  uint32_t end = 0;
  for (uint32_t& first : first_edge) first = end += first;
  for (const Edge& edge : problem.edges) targets[--first_edge[edge.before]] = edge.after;
  sorted_.clear();
  for (Event event = 0; event < problem.events; ++event) {
    if (has_several[event]) before_[event] = kNoEvent;
    if (waiting_for[event] == 0) sorted_.push_back(event);
  }
  for (size_t next = 0; next < sorted_.size(); ++next)
    for (uint32_t i = first_edge[sorted_[next]]; i < first_edge[sorted_[next] + 1]; ++i)
      if (--waiting_for[targets[i]] == 0) sorted_.push_back(targets[i]);
  return sorted_.size() == problem.events;
}

void Contraction::find_involved(const OrderProblem& problem) {
  involved_.assign(problem.events, false);
  visit_constrained(problem, [this](Event event) {
    if (event != kNoEvent) involved_[event] = true;
  });
}

void Contraction::fill_problem(const OrderProblem& problem) {
  const auto number = [this](Event event) { return event == kNoEvent ? kNoEvent : number_[leader_[event]]; };
  smaller_.choices = problem.choices;
  smaller_.edges.clear();
  for (const Edge& edge : problem.edges)
    if (leader_[edge.before] != leader_[edge.after])
      smaller_.edges.push_back({number(edge.before), number(edge.after)});
  smaller_.reads = problem.reads;
  for (Read& read : smaller_.reads) {
    read.read = number(read.read);
    read.own_store = number(read.own_store);
    for (Event& event : read.sources) event = number(event);
    for (Event& event : read.others) event = number(event);
  }
  smaller_.locks = problem.locks;
  for (Lock& lock : smaller_.locks)
    for (Section& section : lock.sections) section = {number(section.acquire), number(section.release), section.shared};
  smaller_.clauses = problem.clauses;
  for (Clause& clause : smaller_.clauses)
    for (Literal& literal : clause)
      if (literal.kind == Literal::Kind::kBefore)
        literal = Literal::before(number(literal.first), number(literal.second));
  smaller_.hint.clear();
  for (const Event event : problem.hint)
    if (leader_[event] == event) smaller_.hint.push_back(number(event));
}

std::vector<Event> Contraction::expand(const std::vector<Event>& order) const {
  std::vector<Event> whole;
  whole.reserve(members_.size());
  for (const Event event : order)
    whole.insert(whole.end(), members_.begin() + first_[event], members_.begin() + first_[event + 1]);
  return whole;
}

}  // namespace heddle::solve
