// SPDX-License-Identifier: Apache-2.0
//
// Looks for an order of the recorded operations in which everything that was
// recorded comes true: every thread goes its path, and fails where it failed.
// In stages, cheap ones first:
//
//   0. Retracing, if it was recorded what reads found: perform the operations so that
//      they find it again (retracing.h).
//   1. Exploration: perform the operations in one order after the other, with
//      going back (exploration.h). Short runs end here, for better or worse.
//   2. Trials: perform the operations at random, a thread only when its next
//      branch then goes the recorded way. Races that need no luck end here.
//   3. Order first, values later: an order that is right as far as order is
//      concerned (solve/order_problem.h) is performed by the machine. A
//      condition that does not hold depends on a few reads; that they all read
//      from where they did is ruled out, and the next order is asked for.
//
// The first and the third are exact: if one of them ends, it has an order, or there is none. What
// comes out was performed by the machine (machine.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/patience.h"
#include "reproduce/failing_run.h"
#include "schedule/memory_model.h"

namespace heddle::reproduce {

inline constexpr uint32_t kMostForSolver =
    4000;  // operations; with more, one order alone takes it longer than many trials

enum class Constraints : uint8_t { kClap, kH3 };  // per-core order not used, used

struct ExplanationOptions {
  schedule::MemoryModel memory = schedule::MemoryModel::kSc;
  Constraints constraints = Constraints::kClap;  // kH3: not with PSO
  double seconds = 60;
  bool explores = true;
  bool only_retraces = false;  // by what was recorded of values (retracing.h), and nothing else: quick
  uint32_t trials = 200;
  uint64_t seed = 0;
  bool counts = true;                       // the read-write clauses of every read, for the statistics: may take long
  const std::atomic<bool>* stop = nullptr;  // becomes true when it is to give up at once
};

// The sizes that are published for such systems, and what was really needed.
struct ExplanationStatistics {
  uint64_t variables = 0;        // operations
  uint64_t constraints = 0;      // all, with the read-write clauses of every read
  uint64_t read_write = 0;       // read-write clauses of every read; ~0: too many to count
  uint64_t used_read_write = 0;  // those that were given to the solver
  uint64_t rounds = 0;           // orders that the solver gave
  uint64_t states = 0;           // of the exploration
  uint64_t trials = 0;           // orders that were tried at random
  double seconds = 0;
  double solver_seconds = 0;
};

// A step of the order: an operation, or the moment when its store reaches memory.
struct OrderStep {
  OperationId operation;
  bool is_flush = false;
};

struct Explanation {
  enum class Kind : uint8_t { kFound, kImpossible, kGaveUp };
  Kind kind = Kind::kGaveUp;
  std::vector<OrderStep> order;  // kFound
  std::string reason;            // otherwise: what stood in the way
  bool by_trial = false;
  ExplanationStatistics statistics;
};

Explanation explain(const FailingRun& run, const ExplanationOptions& options);
// With the patience in place of options.stop.
Explanation explain(const FailingRun& run, const ExplanationOptions& options, base::Patience& patience);

}  // namespace heddle::reproduce
