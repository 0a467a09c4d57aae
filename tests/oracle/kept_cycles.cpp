// SPDX-License-Identifier: Apache-2.0
#include "oracle/kept_cycles.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

namespace heddle::oracle {
namespace {

using Step = std::pair<int, int>;            // number of an operation, kind of the transition
using Edges = std::map<int, std::set<int>>;  // by thread: whom it waits for

class CycleSearch {
 public:
  CycleSearch(const Program& program, const RandomRun& run, const Limits& limits)
      : program_(program), machine_(program, MemoryModel::kSc), limits_(limits) {
    for (const RunStep& step : run) {
      given_[key(step.transition)] = step.transition;
      by_thread_[step.transition.thread].push_back(step.transition);
    }
  }

  Cycles run() {
    std::vector<State> pending{machine_.initial()};
    std::unordered_set<std::string> seen{to_key(pending.back(), program_.threads.size())};
    std::vector<Successor> successors;
    while (!pending.empty() && seen.size() <= limits_.states) {
      const State state = pending.back();
      pending.pop_back();
      look_at(state);
      machine_.successors(state, successors);
      for (const Successor& next : successors)
        if (agrees(next.transition) && seen.insert(to_key(next.state, program_.threads.size())).second)
          pending.push_back(next.state);
    }
    cycles_.within_limits = pending.empty() && seen.size() <= limits_.states;
    return std::move(cycles_);
  }

 private:
  static Step key(const Transition& transition) {
    return {transition.operation->number, static_cast<int>(transition.kind)};
  }

  bool agrees(const Transition& now) const {
    const auto known = given_.find(key(now));
    if (known == given_.end()) return false;
    const Transition& then = known->second;
    return then.learns == now.learns && then.success == now.success && (!now.learns || then.learned == now.learned);
  }

  // How often the thread has taken this lock for reading, and not given it back.
  bool reads_under(int lock, int thread, const State& state) const {
    int depth = 0;
    const auto found = by_thread_.find(thread);
    if (found == by_thread_.end()) return false;
    const auto& operations = program_.threads[static_cast<size_t>(thread)].operations;
    bool as_writer = false;
    for (const Transition& step : found->second) {
      if (step.operation->number - operations.front().number >= state.threads[static_cast<size_t>(thread)].place) break;
      if (step.operation->object != lock || !step.success) continue;
      const OperationKind kind = step.operation->kind;
      if (kind == OperationKind::kReadLock || kind == OperationKind::kTryReadLock) ++depth;
      if (kind == OperationKind::kWriteLock || kind == OperationKind::kTryWriteLock) as_writer = true;
      if (kind == OperationKind::kReadWriteUnlock) as_writer ? (void)(as_writer = false) : (void)--depth;
    }
    return depth > 0;
  }

  // The step that the thread would take next, if the given run has it, and whom it waits for with it.
  void add_waits(const State& state, int thread, Edges& edges, std::map<int, int>& numbers) const {
    const ThreadState& own = state.threads[static_cast<size_t>(thread)];
    const auto& operations = program_.threads[static_cast<size_t>(thread)].operations;
    if (own.stage == Stage::kAbsent || own.place >= operations.size()) return;
    const Operation& next = operations[own.place];
    const bool is_waiting = own.stage == Stage::kQueued || own.stage == Stage::kWoken;
    if (own.stage != Stage::kReady && !is_waiting) return;
    const auto kind = is_waiting ? Transition::Kind::kResume : Transition::Kind::kPerform;
    if (!given_.count({next.number, static_cast<int>(kind)})) return;
    std::set<int> others;
    const auto writer = [&] { return state.writer[static_cast<size_t>(next.object)]; };
    if (is_waiting) {
      others.insert(state.mutex_owner[static_cast<size_t>(next.mutex)]);
    } else if (next.kind == OperationKind::kLock) {
      others.insert(state.mutex_owner[static_cast<size_t>(next.object)]);
    } else if (next.kind == OperationKind::kReadLock) {
      others.insert(writer());
    } else if (next.kind == OperationKind::kWriteLock) {
      others.insert(writer());
      for (int other = 0; other < static_cast<int>(program_.threads.size()); ++other)
        if (reads_under(next.object, other, state)) others.insert(other);
    } else if (next.kind == OperationKind::kJoin) {
      others.insert(next.object);
    }
    others.erase(kNobody);
    others.erase(thread);
    if (others.empty()) return;
    edges[thread] = others;
    numbers[thread] = next.number;
  }

  void look_at(const State& state) {
    Edges edges;
    std::map<int, int> numbers;
    for (int thread = 0; thread < static_cast<int>(program_.threads.size()); ++thread)
      add_waits(state, thread, edges, numbers);
    for (const auto& [thread, others] : edges) {
      std::vector<int> path{thread};
      extend(edges, numbers, path);
    }
  }

  void extend(const Edges& edges, const std::map<int, int>& numbers, std::vector<int>& path) {
    const auto found = edges.find(path.back());
    if (found == edges.end()) return;
    for (const int next : found->second) {
      if (next == path.front()) {
        std::vector<int> circle;
        for (const int thread : path) circle.push_back(numbers.at(thread));
        std::sort(circle.begin(), circle.end());
        cycles_.found.insert(circle);
      } else if (next > path.front() && std::find(path.begin(), path.end(), next) == path.end()) {
        path.push_back(next);
        extend(edges, numbers, path);
        path.pop_back();
      }
    }
  }

  const Program& program_;
  const Machine machine_;
  const Limits& limits_;
  std::map<Step, Transition> given_;
  std::map<int, std::vector<Transition>> by_thread_;
  Cycles cycles_;
};

}  // namespace

Cycles find_kept_cycles(const Program& program, const RandomRun& run, const Limits& limits) {
  return CycleSearch(program, run, limits).run();
}

}  // namespace heddle::oracle
