// SPDX-License-Identifier: Apache-2.0
//
// The reversibility of a random run by trying all orders of its steps: every
// state that can be reached and from which the run can still come to its end.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "random_run.h"

namespace heddle::propagate {

inline bool is_write(const Step& step) { return step.act != Act::kLoad; }
inline bool is_use(const Step& step) { return step.act >= Act::kLoad; }

inline bool are_dependent(const Step& a, const Step& b) {
  if (!is_use(a) || !is_use(b) || a.thread == b.thread || a.object != b.object) return false;
  if (!is_write(a) && !is_write(b)) return false;
  const bool whole_a = a.act >= Act::kAllocate, whole_b = b.act >= Act::kAllocate;
  if (whole_a || whole_b) return true;
  const uint32_t begin = std::max(a.offset, b.offset), end = std::min(a.offset + a.size, b.offset + b.size);
  if (begin >= end) return false;
  if (a.act != Act::kStore || b.act != Act::kStore) return true;
  for (uint32_t i = begin; i < end; ++i) {
    if ((a.value >> (i - a.offset) * 8 & 255) != (b.value >> (i - b.offset) * 8 & 255)) return true;
  }
  return false;
}

class AllOrders {
 public:
  explicit AllOrders(const RandomRun& run) : steps_(run.steps()), own_(run.threads()) {
    for (uint32_t i = 0; i < steps_.size(); ++i) own_[steps_[i].thread].push_back(i);
    std::vector<uint32_t> start(run.threads(), 0);
    can_finish(start);
  }

  bool is_reversible() const {
    for (uint32_t a = 0; a < steps_.size(); ++a)
      for (uint32_t b = a + 1; b < steps_.size(); ++b)
        if (are_dependent(steps_[a], steps_[b]) && can_reverse(a, b)) return true;
    return false;
  }

 private:
  using State = std::vector<uint32_t>;  // by thread: how many of its steps are done

  bool is_done(const State& state, uint32_t step) const {
    const auto& own = own_[steps_[step].thread];
    return std::find(own.begin(), own.begin() + state[steps_[step].thread], step) !=
           own.begin() + state[steps_[step].thread];
  }

  bool can_reverse(uint32_t a, uint32_t b) const {
    for (const auto& [state, finishes] : states_)
      if (finishes && is_done(state, b) && !is_done(state, a)) return true;
    return false;
  }

  bool may_happen(const State& state, const Step& step) const {
    uint32_t writers = 0, readers = 0, arrived = 0, created = 0, ended = 0;
    for (uint32_t thread = 0; thread < own_.size(); ++thread) {
      for (uint32_t i = 0; i < state[thread]; ++i) {
        const Step& done = steps_[own_[thread][i]];
        if (done.act == Act::kArrive) ++arrived;
        if (done.act == Act::kCreate && done.object == step.thread) ++created;
        if (done.act == Act::kEnd && thread == step.object) ++ended;
        if (done.object != step.object) continue;
        if (done.act == Act::kLock) ++writers;
        if (done.act == Act::kLockShared) ++readers;
        if (done.act == Act::kUnlock) released(thread, i, state) ? --readers : --writers;
      }
    }
    switch (step.act) {
      case Act::kStart: return created > 0;
      case Act::kJoin: return ended > 0;
      case Act::kLock: return writers == 0 && readers == 0;
      case Act::kLockShared: return writers == 0;
      case Act::kLeave: return arrived + 1 == own_.size();
      default: return true;
    }
  }

  // Was what this unlock ends a shared section?
  bool released(uint32_t thread, uint32_t unlock, const State&) const {
    const uint32_t lock = steps_[own_[thread][unlock]].object;
    for (uint32_t i = unlock; i-- > 0;) {
      const Step& step = steps_[own_[thread][i]];
      if (step.object == lock && step.act == Act::kLock) return false;
      if (step.object == lock && step.act == Act::kLockShared) return true;
    }
    return false;
  }

  bool can_finish(const State& state) {
    if (const auto known = states_.find(state); known != states_.end()) return known->second;
    bool over = true, finishes = false;
    for (uint32_t thread = 0; thread < own_.size(); ++thread) {
      if (state[thread] == own_[thread].size()) continue;
      over = false;
      if (!may_happen(state, steps_[own_[thread][state[thread]]])) continue;
      State next = state;
      ++next[thread];
      finishes |= can_finish(next);
    }
    return states_[state] = over || finishes;
  }

  const std::vector<Step>& steps_;
  std::vector<std::vector<uint32_t>> own_;
  std::map<State, bool> states_;
};

}  // namespace heddle::propagate
