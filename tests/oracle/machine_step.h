// SPDX-License-Identifier: Apache-2.0
//
// One step in the making, shared by the files of the machine.
#pragma once

#include "oracle/machine.h"

namespace heddle::oracle {

// An operation tried in `before`. It calls take() for each way in which it can
// happen; if it never does, the thread is blocked.
struct Machine::Step {
  const Machine& machine;
  const State& before;
  std::vector<Successor>& found;
  const Operation& operation;
  Transition transition;

  const ThreadState& thread() const { return before.threads[static_cast<size_t>(transition.thread)]; }

  // The thread's operation is done and changed the state to `after`.
  void take(const State& after) { keep(after, true); }

  // The thread stays at its operation, in another stage.
  void stay(const State& after) { keep(after, false); }

  // The thread learned `value`; in its target register, if it has one.
  void learn(State& after, uint64_t value) {
    transition.learns = true;
    transition.learned = value;
    if (operation.target != kNoRegister) own(after).registers[static_cast<size_t>(operation.target)] = value;
  }

  // Where the access is.
  int offset() const {
    if (operation.base == kNoRegister) return operation.offset;
    return offset_of_block(thread().registers[static_cast<size_t>(operation.base)]);
  }

  ThreadState& own(State& after) const { return after.threads[static_cast<size_t>(transition.thread)]; }

  uint64_t expected() const {
    uint64_t value = operation.expected;
    if (operation.compared != kNoRegister) value += thread().registers[static_cast<size_t>(operation.compared)];
    return keep_low_bytes(value, operation.size);
  }

  uint64_t amount() const {
    uint64_t value = operation.value;
    if (operation.source != kNoRegister) value += thread().registers[static_cast<size_t>(operation.source)];
    return keep_low_bytes(value, operation.size);
  }

 private:
  void keep(const State& after, bool done) {
    found.push_back({transition, after});
    Successor& kept = found.back();
    if (done) machine.go_on(kept.state, transition.thread);
    if (kept.state.failed >= 0) kept.transition.alone = false;
  }
};

}  // namespace heddle::oracle
