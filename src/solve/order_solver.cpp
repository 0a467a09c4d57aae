// SPDX-License-Identifier: Apache-2.0
//
// What all solvers share: preconditions and statistics.
#include <chrono>

#include "base/check.h"
#include "solve/order_problem.h"

namespace heddle::solve {
namespace {

void check_event(const OrderProblem& problem, Event event) {
  HEDDLE_CHECK(event < problem.events, "an order problem names only its own events");
}

void check_read(const OrderProblem& problem, const Read& read) {
  check_event(problem, read.read);
  for (const Event event : read.sources) check_event(problem, event);
  for (const Event event : read.others) check_event(problem, event);
  if (read.own_store == kNoEvent) return;
  check_event(problem, read.own_store);
  HEDDLE_CHECK(read.own_store != read.read, "a read is not its own store");
}

void check_clause(const OrderProblem& problem, const Clause& clause) {
  for (const Literal& literal : clause) {
    if (literal.kind == Literal::Kind::kChoice) {
      HEDDLE_CHECK(literal.first < problem.choices, "a clause names only choices of its problem");
    } else {
      check_event(problem, literal.first);
      check_event(problem, literal.second);
      HEDDLE_CHECK(literal.first != literal.second, "a literal orders two different events");
    }
  }
}

// Returns how many pairs of its sections exclude each other.
uint64_t check_lock(const OrderProblem& problem, const Lock& lock) {
  uint64_t shared = 0;
  for (const Section& section : lock.sections) {
    check_event(problem, section.acquire);
    if (section.release != kNoEvent) check_event(problem, section.release);
    HEDDLE_CHECK(section.acquire != section.release, "a section begins and ends with different events");
    shared += section.shared;
  }
  const uint64_t all = lock.sections.size();
  return all * (all - 1) / 2 - shared * (shared - 1) / 2;
}

// Checks the preconditions; returns the number of constraints.
uint64_t check_problem(const OrderProblem& problem) {
  uint64_t constraints = problem.edges.size() + problem.reads.size() + problem.clauses.size();
  for (const Edge& edge : problem.edges) {
    check_event(problem, edge.before);
    check_event(problem, edge.after);
  }
  for (const Read& read : problem.reads) check_read(problem, read);
  for (const Lock& lock : problem.locks) constraints += lock.sections.empty() ? 0 : check_lock(problem, lock);
  for (const Clause& clause : problem.clauses) check_clause(problem, clause);
  for (const Event event : problem.hint) check_event(problem, event);
  HEDDLE_CHECK(problem.hint.empty() || problem.hint.size() == problem.events, "a hint orders all events");
  return constraints;
}

}  // namespace

Statistics& Statistics::operator+=(const Statistics& more) {
  queries += more.queries;
  decided_without_search += more.decided_without_search;
  unknown += more.unknown;
  constraints += more.constraints;
  reads += more.reads;
  seconds += more.seconds;
  return *this;
}

Statistics Statistics::operator-(const Statistics& earlier) const {
  return {queries - earlier.queries, decided_without_search - earlier.decided_without_search,
          unknown - earlier.unknown, constraints - earlier.constraints,
          reads - earlier.reads,     seconds - earlier.seconds};
}

Answer OrderSolver::solve(const OrderProblem& problem) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  statistics_.constraints += check_problem(problem);
  statistics_.reads += problem.reads.size();
  Answer answer = decide(problem, budget_);
  ++statistics_.queries;
  statistics_.decided_without_search += !answer.searched;
  statistics_.unknown += answer.kind == Answer::Kind::kUnknown;
  statistics_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  return answer;
}

}  // namespace heddle::solve
