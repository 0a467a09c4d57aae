// SPDX-License-Identifier: Apache-2.0
//
// Order problems: is there a strict total order of these events in which every
// thread keeps its own order, these reads find the right values, locks exclude
// each other, and these clauses hold? If so, which? The analyses ask this of
// traces: an order that is found becomes a schedule.
//
//   T0: 0 writes x, 1 reads x          Can 1 read what 2 wrote?
//   T1: 2 writes x                     Yes: 0, 2, 1.
//
//   OrderProblem problem;
//   problem.events = 3;
//   problem.edges = {{0, 1}};
//   problem.reads = {{.read = 1, .sources = {2}, .others = {0}, .initial_matches = false}};
//   const Answer answer = make_native_solver()->solve(problem);
//
// This header knows nothing of programs: what the events are, and why an edge
// is there, is the caller's business. Preconditions (checked, also in release):
// every event is below `events`, every choice below `choices`, the events of a
// literal differ, `hint` is empty or as long as there are events. Not checked:
// `hint` must be a permutation, and no event is both source and other of a read.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/patience.h"

namespace heddle::solve {

using Event = uint32_t;
inline constexpr Event kNoEvent = ~0u;

struct Edge {
  Event before, after;
};

// The value that `read` finds is right: the last of `sources` and `others`
// before `read` is one of `sources`; or none of them is before it, and
// `initial_matches`. The event `read` itself may be in either list (a
// read-modify-write does not read itself) and is ignored there.
//
// With store forwarding, `own_store` is the newest store of the same thread to
// that place that precedes the read in the program, and its event is the moment
// when the store reaches memory. While `read` comes before that event, it takes
// the store's own value: right if `own_store_matches`, wrong otherwise. After
// it, the rule of memory holds, so `own_store` is also in one of the lists.
struct Read {
  Event read = kNoEvent;
  std::vector<Event> sources = {}, others = {};
  bool initial_matches = false;
  Event own_store = kNoEvent;
  bool own_store_matches = false;
};

// A section of a lock, from `acquire` to `release` (which comes later, whether
// or not an edge says so); kNoEvent as release: held to the end. Two sections of
// one lock overlap only if both are shared.
struct Section {
  Event acquire = kNoEvent, release = kNoEvent;
  bool shared = false;
};
struct Lock {
  std::vector<Section> sections = {};
};

// Event `first` is before event `second`, or choice variable `first` has `value`.
struct Literal {
  enum class Kind : uint8_t { kBefore, kChoice };
  Kind kind = Kind::kBefore;
  bool value = true;
  uint32_t first = 0, second = 0;

  static constexpr Literal before(Event first, Event second) { return {Kind::kBefore, true, first, second}; }
  static constexpr Literal choice(uint32_t variable, bool value = true) { return {Kind::kChoice, value, variable, 0}; }
  constexpr Literal negated() const { return kind == Kind::kBefore ? before(second, first) : choice(first, !value); }
};
using Clause = std::vector<Literal>;  // at least one literal holds

struct OrderProblem {
  uint32_t events = 0;  // 0, 1, ..., events - 1
  std::vector<Edge> edges = {};
  std::vector<Read> reads = {};
  std::vector<Lock> locks = {};
  uint32_t choices = 0;
  std::vector<Clause> clauses = {};
  std::vector<Event> hint = {};  // an order to stay close to, such as the observed one; may be empty
};

struct Answer {
  enum class Kind : uint8_t { kOrder, kNone, kUnknown };
  Kind kind = Kind::kUnknown;      // kUnknown: only when a budget ran out
  std::vector<Event> order = {};   // kOrder: all events, first to last
  std::vector<bool> choices = {};  // kOrder: a value for each choice variable
  bool searched = false;           // what follows from the constraints alone did not decide
};

struct Budget {
  double seconds = std::numeric_limits<double>::infinity();  // for the search of one problem
  base::Patience* patience = nullptr;                        // not after it is over; may be null
};

struct Statistics {
  uint64_t queries = 0;
  uint64_t decided_without_search = 0;
  uint64_t unknown = 0;
  uint64_t constraints = 0;  // edges, reads, pairs of sections of a lock that exclude each other, clauses
  uint64_t reads = 0;        // pieces of reads that must find a value
  double seconds = 0;

  Statistics& operator+=(const Statistics& more);
  Statistics operator-(const Statistics& earlier) const;  // what came since
};

// Solves problems one after the other, each on its own. Keeps memory between
// them, so use one solver for many problems; one thread at a time. The answer
// depends on the problem only, not on those before it.
class OrderSolver {
 public:
  explicit OrderSolver(Budget budget) : budget_(budget) {}
  virtual ~OrderSolver() = default;

  Answer solve(const OrderProblem& problem);
  const Statistics& statistics() const { return statistics_; }

 protected:
  virtual Answer decide(const OrderProblem& problem, const Budget& budget) = 0;

 private:
  Budget budget_;
  Statistics statistics_;
};

std::unique_ptr<OrderSolver> make_native_solver(Budget budget = {});  // propagation, then a SAT solver
std::unique_ptr<OrderSolver> make_z3_solver(Budget budget = {});      // the reference; slower

// The problem in SMT-LIB 2 (QF_IDL) for any solver: e0, e1, ... are the places
// of the events, c0, c1, ... the choices. Ends with check-sat.
std::string to_smtlib(const OrderProblem& problem);

// Does this order, with these values of the choices, solve the problem? Plain
// replay of the definitions above; shares no code with the solvers.
bool is_valid_order(const OrderProblem& problem, std::span<const Event> order, const std::vector<bool>& choices = {});

}  // namespace heddle::solve
