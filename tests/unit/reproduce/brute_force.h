// SPDX-License-Identifier: Apache-2.0
//
// Whether a failing run of reads, writes, creations and joins has an order at
// all, by trying every interleaving under SC, TSO and PSO. Written apart from the
// machine and the solver: memory is by whole places, buffers are lists.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "reproduce/failing_run.h"
#include "schedule/memory_model.h"

namespace heddle::reproduce {

class BruteForce {
 public:
  BruteForce(const FailingRun& run, schedule::MemoryModel model) : run_(run), model_(model) {}

  bool has_order() {
    State state;
    state.position.assign(run_.threads.size(), 0);
    state.buffers.resize(run_.threads.size());
    state.created.assign(run_.threads.size(), false);
    state.created[0] = true;
    for (uint32_t t = 0; t < run_.threads.size(); ++t)
      if (!holds(state, t)) return false;
    return search(state);
  }

 private:
  struct Store {
    uint64_t place, value;
    auto operator<=>(const Store&) const = default;
  };
  struct State {
    std::vector<uint32_t> position;
    std::vector<std::vector<Store>> buffers;
    std::vector<bool> created;
    std::map<uint64_t, uint64_t> memory;
    std::map<uint64_t, uint32_t> owners;
    solve::Assignment values;
    auto operator<=>(const State&) const = default;
  };

  uint64_t value(const State& state, solve::Term term) const { return run_.terms.evaluate(term, state.values); }

  bool holds(const State& state, uint32_t thread) const {
    for (const Condition& condition : run_.threads[thread].conditions)
      if (condition.after == state.position[thread] && !value(state, condition.holds)) return false;
    return true;
  }

  bool search(const State& state) {
    if (!seen_.insert(state).second) return false;
    if (has_failed(state)) return true;
    bool all_done = true;
    for (uint32_t t = 0; t < run_.threads.size(); ++t) {
      for (size_t i = 0; i < state.buffers[t].size(); ++i) {
        bool is_first = true;
        for (size_t k = 0; k < i; ++k)
          is_first &= model_ == schedule::MemoryModel::kPso && state.buffers[t][k].place != state.buffers[t][i].place;
        if (!is_first) continue;
        State next = state;
        next.memory[next.buffers[t][i].place] = next.buffers[t][i].value;
        next.buffers[t].erase(next.buffers[t].begin() + static_cast<long>(i));
        if (search(next)) return true;
      }
      if (state.position[t] == run_.threads[t].operations.size()) continue;
      all_done = false;
      State next = state;
      if (!perform(next, t)) continue;
      ++next.position[t];
      if (holds(next, t) && search(next)) return true;
    }
    return all_done && run_.failing_thread == kNobody;
  }

  // The failing thread has come to its end, and others as far as they came for certain.
  bool has_failed(const State& state) const {
    if (run_.failing_thread == kNobody) return false;
    for (uint32_t t = 0; t < run_.threads.size(); ++t) {
      const size_t wanted = t == run_.failing_thread ? run_.threads[t].operations.size() : run_.threads[t].certain;
      if (state.position[t] < wanted) return false;
    }
    return true;
  }

  bool perform(State& state, uint32_t thread) const {
    if (!state.created[thread]) return false;
    const Operation& operation = run_.threads[thread].operations[state.position[thread]];
    const uint64_t place = value(state, operation.address);
    auto& buffer = state.buffers[thread];
    switch (operation.kind) {
      case HEDDLE_LOAD: {
        const auto known = state.memory.find(place);
        uint64_t found = known == state.memory.end() ? 0 : known->second;
        for (const Store& store : buffer)
          if (store.place == place) found = store.value;
        state.values[operation.read] = found;
        return true;
      }
      case HEDDLE_STORE:
        if (model_ == schedule::MemoryModel::kSc) {
          state.memory[place] = value(state, operation.written);
        } else {
          buffer.push_back({place, value(state, operation.written)});
        }
        return true;
      case HEDDLE_THREAD_START: return true;
      default: break;
    }
    if (!buffer.empty()) return false;
    switch (operation.kind) {
      case HEDDLE_THREAD_CREATE: state.created[operation.other] = true; return true;
      case HEDDLE_THREAD_JOIN:
        return state.position[operation.other] == run_.threads[operation.other].operations.size() &&
               state.buffers[operation.other].empty();
      case HEDDLE_MUTEX_LOCK: return state.owners.try_emplace(place, thread).second;
      case HEDDLE_MUTEX_UNLOCK: state.owners.erase(place); return true;
      default: return true;
    }
  }

  const FailingRun& run_;
  const schedule::MemoryModel model_;
  std::set<State> seen_;  // led to nothing
};

}  // namespace heddle::reproduce
