// SPDX-License-Identifier: Apache-2.0
#include "check/learn/tails.h"

#include <algorithm>

namespace heddle::check::learn {

namespace {

constexpr uint32_t kDidNotEnd = 1;

// Where a thread is, and what it returned, are told apart by the lowest bit.
uint32_t going(PointId point) { return 2 * point; }
uint32_t returned(uint32_t number) { return 2 * number + 3; }

}  // namespace

const Row& Tails::without(const State& state, ThreadMask ended, StateStore::Sum& sum) {
  begins_.know(state.size());
  scratch_.assign(state.words().begin(), state.words().end());
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const uint32_t slot = model_.thread_slots[thread];
    if (!slot) continue;
    const uint32_t before = state[slot];
    uint32_t after = going(before);
    if (ended >> thread & 1) {
      const Point& point = model_.automata[before];
      after = point.standing != Standing::kEnded ? kDidNotEnd
                                                 : returned(point.value ? model_.numbers.number(point.value) : 0);
    }
    scratch_[slot] = after;
    sum = begins_.moved(sum, {slot, before, after});
  }
  return scratch_;
}

std::optional<EndKind> Tails::finish(State& state, StateStore::Sum sum, ThreadMask ended) {
  const Row& row = without(state, ended, sum);
  const StateStore::Sought sought = begins_.find(row, sum);
  if (!sought.id) {
    asked_.push_back({begins_.add(row, sought), state.now()});
    return std::nullopt;
  }
  const uint64_t known = begins_.mask(sought.id);
  if (!known) {
    asked_.push_back({sought.id, state.now()});
    return std::nullopt;
  }
  const End& end = ends_[known - 1];
  for (uint32_t i = end.begin; i < end.end; ++i) state.set(words_[i].slot, words_[i].word);
  return end.kind;
}

void Tails::add_end(const State& state, EndKind kind) {
  for (const Asked& asked : asked_) {
    const uint32_t begin = static_cast<uint32_t>(words_.size());
    for (const State::Change& change : state.since(asked.mark)) {
      const auto is_same = [&](const Word& known) { return known.slot == change.slot; };
      if (std::none_of(words_.begin() + begin, words_.end(), is_same))
        words_.push_back({change.slot, state[change.slot]});
    }
    ends_.push_back({begin, static_cast<uint32_t>(words_.size()), kind});
    begins_.set_mask(asked.begin, ends_.size());
  }
  asked_.clear();
}

void Tails::clear() {
  begins_.clear();
  ends_.clear();
  words_.clear();
  asked_.clear();
}

}  // namespace heddle::check::learn
