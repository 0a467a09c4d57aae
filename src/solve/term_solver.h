// SPDX-License-Identifier: Apache-2.0
//
// Questions about values and order at once: are there values for the symbols,
// and places for the events, such that these formulas hold? Z3 answers; nothing
// of it shows here.
//
//   TermSolver solver(terms);
//   const Event write = solver.new_event(), read = solver.new_event();
//   solver.require(solver.any({solver.before(read, write), solver.holds(terms.eq(x, five))}));
//   if (solver.check(0.05) == TermSolver::Result::kYes) ... solver.value(x), solver.order() ...
//
// Two events may share a place in the answer unless a formula keeps them apart;
// then either order of the two does, as "before" occurs only as it stands: never
// under a negation. One thread at a time; `terms` must outlive the solver.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solve/order_problem.h"
#include "solve/terms.h"

namespace heddle::solve {

struct Formula {
  std::uint32_t id = 0;
};

class TermSolver {
 public:
  enum class Result : std::uint8_t { kYes, kNo, kUnknown };  // kUnknown: too long

  explicit TermSolver(const Terms& terms);
  ~TermSolver();

  // Forgets events, formulas and answers; what is known of the terms is kept.
  void clear();

  Event new_event();
  Formula truth(bool value);
  Formula before(Event first, Event second);
  Formula holds(Term term);  // of one bit
  Formula all(const std::vector<Formula>& parts);
  Formula any(const std::vector<Formula>& parts);
  Formula negation(Formula of);  // of a formula without events
  Formula choice();              // a truth value of its own
  void require(Formula formula);

  // Again after more was required: all that was required holds. At most so long, and so many steps as Z3 counts them:
  // these, unlike time, are the same on every machine.
  Result check(double seconds, std::uint32_t most_steps = ~0u);
  // So many steps did all questions take so far.
  std::uint64_t steps() const;
  // After kYes: all events, first to last; the values of symbols and choices.
  std::vector<Event> order() const;
  std::uint64_t value(Term symbol) const;
  bool is_true(Formula choice) const;

  // Of all questions so far.
  std::uint64_t questions() const { return questions_; }
  double seconds() const { return seconds_; }
  std::uint64_t constraints() const { return constraints_; }

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
  std::uint64_t questions_ = 0, constraints_ = 0;
  double seconds_ = 0;
};

}  // namespace heddle::solve
