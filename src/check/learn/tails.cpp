// SPDX-License-Identifier: Apache-2.0
#include "check/learn/tails.h"

namespace heddle::check::learn {

namespace {

constexpr uint32_t kDidNotEnd = 1;

// Where a thread is, and what it returned, are told apart by the lowest bit.
uint32_t going(PointId point) { return 2 * point; }
uint32_t returned(uint32_t number) { return 2 * number + 3; }

}  // namespace

const Row& Tails::without(const State& state, ThreadMask ended) {
  scratch_ = state.words();
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const uint32_t slot = model_.thread_slots[thread];
    if (!slot) continue;
    if (!(ended >> thread & 1)) {
      scratch_[slot] = going(state[slot]);
    } else if (const Point& point = model_.automata[state[slot]]; point.standing != Standing::kEnded) {
      scratch_[slot] = kDidNotEnd;
    } else {
      scratch_[slot] = returned(point.value ? model_.numbers.number(point.value) : 0);
    }
  }
  return scratch_;
}

bool Tails::finish(State& state, ThreadMask ended) {
  const StateStore::Id begin = begins_.add(without(state, ended)).first;
  const uint64_t known = begins_.mask(begin);
  if (!known) {
    asked_.push_back({begin, ended});
    return false;
  }
  ends_.read(static_cast<StateStore::Id>(known), scratch_);
  last_ = static_cast<ThreadId>(known >> 32);
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread)
    if (const uint32_t slot = model_.thread_slots[thread])
      scratch_[slot] = ended >> thread & 1 ? state[slot] : scratch_[slot] / 2;
  for (size_t slot = 0; slot < scratch_.size(); ++slot) state.set(slot, scratch_[slot]);
  return true;
}

void Tails::add_end(const State& state, ThreadId last) {
  for (const Asked& asked : asked_) {
    const StateStore::Id end = ends_.add(without(state, asked.ended)).first;
    begins_.set_mask(asked.begin, end | uint64_t{last} << 32);
  }
  asked_.clear();
}

void Tails::clear() {
  begins_.clear();
  ends_.clear();
  asked_.clear();
}

}  // namespace heddle::check::learn
