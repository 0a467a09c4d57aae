// SPDX-License-Identifier: Apache-2.0
//
// Could some threads of this execution come to wait for each other in a circle, in
// another order of its operations? Each of them holds what the one before it waits
// for: a lock, a one-time initialisation, or its own end, which that one joins. The
// other threads may be anywhere; what they do later cannot help.
//
//   T1: a b        T2: b a        T3: reads what T1 writes later
//
// T1 and T2 block each other before T1 has written, wherever T3 is then: no order in
// which every thread has ended or is blocked (deadlocks.h) keeps what T3 read.
//
// Operations of a thread at one site that want one lock and hold the same ones are
// alike. First circles among these are listed; then operations are put to the
// solver, as cuts that end before them.
#pragma once

#include <functional>
#include <vector>

#include "causal/needs.h"
#include "property/deadlocks.h"
#include "property/plan.h"
#include "schedule/memory_model.h"

namespace heddle::property {

struct LockCycle {
  std::vector<BlockedThread> blocked;  // each waits for the next, the last for the first
  std::vector<PlannedStep> plan;
};

// Cheap; false: find_lock_cycles would find nothing.
bool may_have_lock_cycle(const causal::Execution& execution);

// `is_new` says whether a circle of these threads at these operations is worth asking for. `take` gets those that are
// possible, and says whether they stand; then others of the same sites are left alone.
// False: there was more than could be asked about.
bool find_lock_cycles(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
                      const std::function<bool(const std::vector<BlockedThread>&)>& is_new,
                      const std::function<bool(const LockCycle&)>& take);

}  // namespace heddle::property
