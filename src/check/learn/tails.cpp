// SPDX-License-Identifier: Apache-2.0
#include "check/learn/tails.h"

namespace heddle::check::learn {

namespace {

constexpr uint32_t kDidNotEnd = UINT32_MAX;

}  // namespace

const State& Tails::alone(const State& state, ThreadId last) {
  scratch_ = state;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread)
    if (const uint32_t slot = model_.thread_slots[thread]; thread != last && slot && state[slot]) {
      const Point& point = model_.automata[state[slot]];
      scratch_[slot] = point.standing == Standing::kEnded ? 1 + model_.numbers.number(point.value) : kDidNotEnd;
    }
  return scratch_;
}

bool Tails::finish(State& state, ThreadId last) {
  asked_ = begins_.add(alone(state, last), model_.layout.ignored()).first;
  const StateStore::Id end = static_cast<StateStore::Id>(begins_.mask(asked_));
  if (!end) return false;
  ends_.read(end, scratch_);
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread)
    if (thread != last && model_.thread_slots[thread])
      scratch_[model_.thread_slots[thread]] = state[model_.thread_slots[thread]];
  state.swap(scratch_);
  return true;
}

void Tails::add_end(const State& state, ThreadId last) {
  begins_.set_mask(asked_, ends_.add(alone(state, last)).first);
}

void Tails::clear() {
  begins_.clear();
  ends_.clear();
}

}  // namespace heddle::check::learn
