// SPDX-License-Identifier: Apache-2.0
#include "reproduce/refinement.h"

#include <algorithm>
#include <set>

namespace heddle::reproduce {

using solve::Event;
using solve::Literal;
using solve::Term;

std::vector<OperationId> Refinement::cone(std::vector<Term> terms) const {
  const FailingRun& run = system_.run();
  std::set<OperationId> found;
  while (!terms.empty()) {
    std::vector<Term> next;
    for (const Term symbol : run.terms.symbols(terms)) {
      if (!reads_.is_read(symbol)) continue;
      const OperationId read = reads_.read_of(symbol);
      if (!machine_->has_read(read) || !found.insert(read).second) continue;
      const bool by_choice = reads_.can_choose(read);
      if (!by_choice) next.push_back(run.at(read).address);
      for (const OperationId write : machine_->sources(read)) {
        if (write == kNoOperation) continue;
        next.push_back(run.at(write).written);
        if (!by_choice) next.push_back(run.at(write).address);
      }
    }
    terms = std::move(next);
  }
  return {found.begin(), found.end()};
}

// For a read that takes its bytes from several writes: the whole order of all that concerns it.
void Refinement::deny_by_order(OperationId read, solve::Clause& clause) const {
  std::vector<Event> events = {system_.event(read)};
  for (const OperationId write : reads_.candidates(read)) events.push_back(system_.in_memory(write));
  std::sort(events.begin(), events.end(), [&](Event a, Event b) { return came_before(a, b); });
  for (size_t i = 1; i < events.size(); ++i)
    if (!system_.closure().before(events[i - 1], events[i]))
      clause.push_back(Literal::before(events[i], events[i - 1]));
}

bool Refinement::deny(const std::vector<Term>& terms, solve::Clause& clause) {
  for (const OperationId read : cone(terms)) {
    if (!reads_.can_choose(read)) {
      deny_by_order(read, clause);
      continue;
    }
    if (!reads_.has_choices(read) && !reads_.add(read)) return false;
    clause.push_back(reads_.chosen(read, source(read)).negated());
  }
  return true;
}

bool Refinement::learn_condition(const Machine::Broken& broken) {
  const Condition& condition = system_.run().threads[broken.thread].conditions[broken.condition];
  solve::Clause clause;
  if (!deny({condition.holds}, clause)) return false;
  if (condition.after == 0) {
    system_.clause(std::move(clause));
  } else {
    system_.clause_about({broken.thread, condition.after - 1}, std::move(clause));
  }
  return true;
}

// The read has choices, but did not read from the write that was chosen.
bool Refinement::learn_source(OperationId read, OperationId expected) {
  const FailingRun& run = system_.run();
  const OperationId found = source(read);
  const Event r = system_.event(read);
  solve::Clause clause = {reads_.chosen(read, expected).negated()};
  std::vector<Term> facts = {run.at(read).address};
  const auto add_facts = [&](OperationId write) {
    facts.push_back(run.at(write).address);
    if (run.at(write).kind == HEDDLE_CAS) facts.push_back(run.at(write).exchanged);
  };
  const auto hits = [&](OperationId write) {
    const Operation& operation = run.at(write);
    return machine_->address(write) == machine_->address(read) &&
           (operation.kind != HEDDLE_CAS || machine_->value(operation.exchanged));
  };
  if (expected != kNoOperation && !hits(expected)) {
    add_facts(expected);
  } else if (found != kNoOperation) {
    add_facts(found);
    const Event f = system_.in_memory(found);
    if (came_before(r, f)) {  // out of its own buffer
      clause.push_back(Literal::before(f, r));
    } else {
      if (!system_.closure().before(f, r)) clause.push_back(Literal::before(r, f));
      if (expected != kNoOperation) {
        const Event e = system_.in_memory(expected);
        if (came_before(e, f)) {
          if (!system_.closure().before(e, f)) clause.push_back(Literal::before(f, e));
          if (reads_.may_forward(read, expected) && !system_.closure().before(e, r))
            clause.push_back(Literal::before(r, e));
        } else if (!system_.closure().before(r, e)) {
          clause.push_back(Literal::before(e, r));
        }
      }
    }
  }
  if (!deny(facts, clause)) return false;
  system_.clause(std::move(clause));
  return true;
}

bool Refinement::learn(const Machine& machine, const std::vector<Event>& order, const std::vector<bool>& choices) {
  machine_ = &machine;
  place_.assign(order.size(), 0);
  for (size_t i = 0; i < order.size(); ++i) place_[order[i]] = i;

  // First, since learning adds choices.
  std::vector<std::pair<OperationId, OperationId>> mistaken;
  for (const auto& [read, writes] : reads_.choices()) {
    if (!machine.has_read(read)) continue;
    OperationId expected = kNoOperation;
    bool is_right = false, is_chosen = false;
    for (const auto& [write, choice] : writes) {
      if (!choices[choice]) continue;
      is_right |= write == source(read);
      expected = write;
      is_chosen = true;
    }
    if (is_chosen && !is_right) mistaken.push_back({read, expected});
  }
  std::sort(mistaken.begin(), mistaken.end(),
            [&](const auto& a, const auto& b) { return came_before(system_.event(a.first), system_.event(b.first)); });
  // Those after the first may be wrong only because of it.
  if (!mistaken.empty() && !learn_source(mistaken.front().first, mistaken.front().second)) return false;
  for (const Machine::Broken& broken : machine.broken())
    if (!learn_condition(broken)) return false;
  return true;
}

}  // namespace heddle::reproduce
