// SPDX-License-Identifier: Apache-2.0
//
// Which steps need not be taken because what begins with them was explored.
#include "check/learn/footprints.h"

namespace heddle::check::learn {

StepMask Footprints::mask_of(const State& state, const Step& step) const {
  if (step.move == Move::kFlush) return step.choice ? 0 : StepMask{1} << (32 + step.thread);
  const PointId id = machine_.point_of(state, step.thread);
  if (step.move == Move::kTimeout || id >= entries_.size() || !entries_[id].is_plain) return 0;
  switch (model_.automata[id].kind) {
    case HEDDLE_NONDET:
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_NOTIFY: return 0;
    default: return StepMask{1} << step.thread;
  }
}

// Whether the step, which touches that, and the step of the mask may change places.
bool Footprints::are_apart(const State& state, const Step& step, const Touch& touch, ThreadId thread, bool is_flush) {
  const bool flushes = step.move == Move::kFlush;
  Entry& other = entry(is_flush ? StoreBuffers::point(model_.buffers.content(machine_.buffer_of(state, thread))[0])
                                : machine_.point_of(state, thread));
  other.is_used = true;
  if (thread == step.thread) {
    // A thread sees its own stores whether they have left its buffer or not.
    if (flushes == is_flush) return false;
    const PointId id = machine_.point_of(state, thread);
    const uint8_t kind = model_.automata[id].kind;
    return (kind == HEDDLE_LOAD || kind == HEDDLE_STORE) && !entry(id).ends_locals;
  }
  if (is_flush)
    return !touch.meets({0, other.own.writes}) &&
           (flushes || !entry(machine_.point_of(state, step.thread)).ends_locals);
  return !touch.meets(at_once(other)) && !(flushes && other.ends_locals);
}

StepMask Footprints::still_asleep(const State& state, const Step& step, StepMask asleep) {
  if (!asleep) return 0;
  Touch touch;
  if (step.move == Move::kFlush) {
    const auto& content = model_.buffers.content(machine_.buffer_of(state, step.thread));
    Entry& store = entry(StoreBuffers::point(content[step.choice]));
    store.is_used = true;
    touch = {0, store.own.writes};
  } else {
    Entry& known = entry(machine_.point_of(state, step.thread));
    if (!known.is_plain || step.move == Move::kTimeout) return 0;
    known.is_used = true;
    touch = at_once(known);
  }
  StepMask still = 0;
  for (StepMask left = asleep; left; left &= left - 1) {
    const uint32_t bit = static_cast<uint32_t>(__builtin_ctzll(left));
    if (are_apart(state, step, touch, bit % 32, bit >= 32)) still |= StepMask{1} << bit;
  }
  return still;
}

}  // namespace heddle::check::learn
