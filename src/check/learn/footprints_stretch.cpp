// SPDX-License-Identifier: Apache-2.0
//
// Rows of steps of one thread: whether all of them may go first, and who is asleep afterwards.
#include "check/learn/footprints.h"

namespace heddle::check::learn {

namespace {

bool is_in_stretches(uint8_t kind) {
  switch (kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_FENCE: return true;
    default: return false;
  }
}

}  // namespace

bool Footprints::pass(const State& state, const Step& step, Passed& passed) {
  if (step.move == Move::kFlush) {
    const auto& content = model_.buffers.content(machine_.buffer_of(state, step.thread));
    Entry& store = entry(StoreBuffers::point(content[step.choice]));
    store.is_used = true;
    passed.touch.writes |= store.own.writes;
    passed.flushes = true;
    return true;
  }
  const PointId id = machine_.point_of(state, step.thread);
  const Point& point = model_.automata[id];
  Entry& known = entry(id);
  if (step.move != Move::kOperation || !known.is_plain || !is_in_stretches(point.kind)) return false;
  known.is_used = true;
  passed.touch.add(at_once(known));
  passed.ends_locals |= known.ends_locals;
  passed.does_more |= point.kind != HEDDLE_LOAD && point.kind != HEDDLE_STORE;
  return true;
}

bool Footprints::may_pass(const State& state, ThreadId thread, const Passed& passed, StepMask asleep) {
  const StepMask operation = StepMask{1} << thread, flush = StepMask{1} << (32 + thread);
  if (asleep & (passed.flushes ? operation | flush : operation)) return false;
  if (passed.touch.is_empty()) return true;
  if (!has_gathered_) {
    know_points();
    Touch once, twice;
    gather(state, once, twice);
    of_others_ = of_others(thread);
    has_gathered_ = true;
  }
  if (passed.touch.meets(of_others_)) return false;
  rely(thread, passed.touch);
  return true;
}

Footprints::Entry& Footprints::oldest_store(const State& state, ThreadId thread) {
  return entry(StoreBuffers::point(model_.buffers.content(machine_.buffer_of(state, thread))[0]));
}

// As if it were asked step by step (are_apart).
StepMask Footprints::still_asleep(const State& state, ThreadId thread, const Passed& passed, StepMask asleep) {
  StepMask still = 0;
  for (StepMask left = asleep; left; left &= left - 1) {
    const uint32_t bit = static_cast<uint32_t>(__builtin_ctzll(left));
    const ThreadId sleeper = bit % 32;
    const bool is_flush = bit >= 32;
    bool is_apart = false;
    if (sleeper == thread) {
      is_apart = is_flush && !passed.flushes && !passed.ends_locals && !passed.does_more;
    } else if (is_flush) {
      Entry& store = oldest_store(state, sleeper);
      store.is_used = true;
      is_apart = !passed.touch.meets({0, store.own.writes}) && !passed.ends_locals;
    } else {
      Entry& other = entry(machine_.point_of(state, sleeper));
      other.is_used = true;
      is_apart = !passed.touch.meets(at_once(other)) && !(passed.flushes && other.ends_locals);
    }
    if (is_apart) still |= StepMask{1} << bit;
  }
  return still;
}

}  // namespace heddle::check::learn
