// SPDX-License-Identifier: Apache-2.0
#include "oracle/brute_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

namespace heddle::oracle {
namespace {

// Sequences of values, each as one number: equal sequences, equal numbers.
class Histories {
 public:
  uint32_t extended(uint32_t history, uint64_t value) {
    const auto next = static_cast<uint32_t>(known_.size() + 1);
    return known_.try_emplace({history, value}, next).first->second;
  }

 private:
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> known_;
};

using HistoryVector = std::array<uint32_t, kMaximumThreads>;  // 0: nothing learned

struct Node {
  State state;
  HistoryVector histories;
};

std::string to_key(const HistoryVector& histories, size_t threads) {
  std::string key(threads * sizeof(uint32_t), '\0');
  std::memcpy(key.data(), histories.data(), key.size());
  return key;
}

Outcome outcome_of(const Program& program, const State& state) {
  const uint64_t observed = program.has_pointers ? 0xf : UINT64_MAX;
  Outcome outcome;
  const size_t threads = program.has_twins ? 1 : program.threads.size();
  for (size_t thread = 0; thread < threads; ++thread)
    for (int index = 0; index < program.threads[thread].registers; ++index)
      outcome[fmt::format("t{}r{}", thread, index)] =
          static_cast<long long>(state.threads[thread].registers[static_cast<size_t>(index)] & observed);
  return outcome;
}

}  // namespace

Truth brute_force(const Program& program, MemoryModel model, const Limits& limits) {
  const Machine machine(program, model);
  const size_t threads = program.threads.size();
  Truth truth;
  Histories histories;
  std::unordered_set<std::string> seen, classes;
  std::vector<Node> pending;
  std::vector<Successor> successors;
  const auto reach = [&](const State& state, const HistoryVector& history) {
    if (seen.insert(to_key(state, threads) + to_key(history, threads)).second) pending.push_back({state, history});
  };

  reach(machine.initial(), {});
  while (!pending.empty() && seen.size() <= limits.states) {
    const Node node = pending.back();
    pending.pop_back();
    if (machine.complete(node.state)) {
      truth.outcomes.insert(outcome_of(program, node.state));
      classes.insert(to_key(node.histories, threads));
      continue;
    }
    machine.successors(node.state, successors);
    if (successors.empty()) truth.deadlock = true;
    const auto alone = std::find_if(successors.begin(), successors.end(), [&](const Successor& successor) {
      return limits.shorten && successor.transition.alone;
    });
    for (auto successor = successors.begin(); successor != successors.end(); ++successor) {
      if (alone != successors.end() && alone != successor) continue;
      if (successor->state.failed >= 0) {
        truth.failing_assertions.insert(successor->state.failed);
        continue;
      }
      const Transition& transition = successor->transition;
      HistoryVector next = node.histories;
      uint32_t& history = next[static_cast<size_t>(transition.thread)];
      if (transition.learns) history = histories.extended(history, transition.learned);
      reach(successor->state, next);
    }
  }
  truth.classes = classes.size();
  truth.states = seen.size();
  truth.within_limits = pending.empty() && seen.size() <= limits.states;
  return truth;
}

}  // namespace heddle::oracle
