// SPDX-License-Identifier: Apache-2.0
//
// Could a heap block be freed before another thread's access to it, although in
// this execution it was freed after? The question is one about cuts: the
// release and what led to it, and what the other thread did before its access.
// If such a cut has an order, the access that follows it fails.
//
// Freeing twice needs no such question: whatever the order, the second fails.
#pragma once

#include <functional>
#include <vector>

#include "causal/needs.h"
#include "property/deadlocks.h"
#include "property/plan.h"
#include "schedule/memory_model.h"

namespace heddle::property {

struct UseAfterFree {
  causal::EventId use, release;
  std::vector<PlannedStep> plan;  // up to and with the use
};

struct UseAfterFreeSearch {
  std::vector<UseAfterFree> found;
  bool is_complete = true;  // false: something was too large to be answered
};

// Cheap; false: find_uses_after_free would find nothing.
bool may_use_after_free(const causal::Execution& execution);

// At most one per site of the use. `is_new` says whether a use at this
// operation's site is worth asking for.
UseAfterFreeSearch find_uses_after_free(const causal::Dependences& dependences, schedule::MemoryModel model,
                                        const AskSolver& ask, const std::function<bool(const HeddleRecord&)>& is_new);

}  // namespace heddle::property
