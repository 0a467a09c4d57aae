// SPDX-License-Identifier: Apache-2.0
//
// Is every race of an execution one whose accesses can be next at once? Then the
// dearer question, for an order in which neither happens before the other, need not
// be asked.
//
// Take such an order, and keep of it only what happens before one of the two
// accesses. If happens-before has all that an operation needs (the write it reads
// from, the end of the section before its own, the creation, the arrivals, the
// posts), this part is possible by itself, and both accesses are next after it.
// That is so where every read orders and every need is one of those: plain accesses,
// locks, semaphores, barriers, creation and join. It is not so for atomic accesses,
// which need not order what they read, for attempts that fail because another thread
// holds a lock, and for signals to a condition, which order nothing.
#pragma once

#include "causal/execution.h"

namespace heddle::property {

// With RacyReads::kOrder, for accesses that are operations of their own.
bool races_are_at_once(const causal::Execution& execution);

}  // namespace heddle::property
