// SPDX-License-Identifier: Apache-2.0
//
// Could the operations of this execution come to a halt in another order? A
// deadlock is a cut in which every thread has ended or cannot do its next
// operation: the lock is held, nobody posted, the signal went by, the thread to
// join has not ended. A thread that goes round in a loop which only waits
// (Execution::repeats) counts too, if all it looks at is as it was: then it is a
// livelock. Which of these hold follows from the cut alone, but for
// waits on conditions; whether the cut can be reached is the solver's question.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "causal/needs.h"
#include "property/plan.h"
#include "schedule/memory_model.h"
#include "solve/order_problem.h"

namespace heddle::property {

struct BlockedThread {
  causal::ThreadId thread = 0;
  HeddleRecord operation;  // what it cannot do
};

struct Deadlock {
  std::vector<BlockedThread> blocked;
  std::vector<PlannedStep> plan;
  bool is_livelock = false;  // somebody waits in a loop
};

using AskSolver = std::function<solve::Answer(const solve::OrderProblem&)>;

struct DeadlockSearch {
  std::vector<Deadlock> found;
  bool is_complete = true;  // false: there were too many combinations to look at
};

// Cheap; false: find_deadlocks would find nothing.
bool may_deadlock(const causal::Execution& execution);

// `is_new` says whether a deadlock of these threads at these operations is
// worth asking for; it is called before the solver is. `most_work`: so many operations, of all cuts together, are
// looked at; a search that comes to that is not complete.
DeadlockSearch find_deadlocks(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
                              const std::function<bool(const std::vector<BlockedThread>&)>& is_new,
                              uint64_t most_work = ~uint64_t{0});

}  // namespace heddle::property
