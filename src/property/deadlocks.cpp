// SPDX-License-Identifier: Apache-2.0
#include "property/deadlocks.h"

#include <algorithm>
#include <set>

#include "causal/operation.h"
#include "causal/sections.h"
#include "property/blocking.h"
#include "property/cut_problem.h"

namespace heddle::property {

using causal::Cut;
using causal::EventId;
using causal::Execution;
using causal::HeldSection;
using causal::ThreadId;

namespace {

constexpr size_t kMostCombinations = 200000;

// A place where a thread might stand for ever.
struct Halt {
  uint32_t index = 0;  // so many operations are done
  bool is_end = false, is_unborn = false;
  HeddleRecord next = {};              // what it cannot do, unless it has ended or was never created
  std::vector<HeldSection> held = {};  // sections that are open there
  uint32_t round = 0;                  // waits in a loop: so many operations, all of them done
};

bool holds(const Halt& halt, const Wanted& wanted) { return holds(halt.held, wanted); }

// What is so at some of the places where threads might stand.
struct Places {
  std::set<Wanted> held;
  std::set<ThreadId> not_ended;

  explicit Places(const std::vector<std::vector<Halt>>& halts) {
    for (ThreadId t = 0; t < halts.size(); ++t) {
      for (const Halt& halt : halts[t]) {
        if (!halt.is_end) not_ended.insert(t);
        for (const HeldSection& section : halt.held) held.insert({section.lock, section.is_shared});
      }
    }
  }
};

// Could the thread stand here, if others stood at some of their places?
bool is_plausible(const Halt& halt, const Places& places) {
  if (halt.is_end || halt.is_unborn || halt.round) return true;
  const HeddleEffect effect = semantics::effect_of(halt.next);
  if (effect == HEDDLE_EFFECT_JOIN) return places.not_ended.count(static_cast<ThreadId>(halt.next.value)) > 0;
  if (effect == HEDDLE_EFFECT_RESUME) return true;  // it may just not be woken
  const auto wanted = wanted_lock(halt.next);
  return !wanted || places.held.count({wanted->lock, false}) ||
         (!wanted->is_shared && places.held.count({wanted->lock, true}));
}

std::vector<std::vector<Halt>> halts_of(const Execution& execution) {
  std::vector<std::vector<Halt>> halts(execution.threads.size());
  for (ThreadId t = 0; t < halts.size(); ++t) {
    const auto& operations = execution.threads[t].operations;
    const auto sections = causal::sections_of(t, operations);
    std::vector<HeldSection> open;  // of those that begin before the halt at hand
    size_t begun = 0;
    uint32_t last = 0;
    const auto add = [&](Halt halt) {
      if (halt.index < last) {  // looks that repeat come after the others
        open.clear();
        begun = 0;
      }
      last = halt.index;
      for (; begun < sections.size() && sections[begun].acquire < halt.index; ++begun) open.push_back(sections[begun]);
      std::erase_if(open, [&](const HeldSection& section) { return section.release < halt.index; });
      halt.held = open;
      halts[t].push_back(std::move(halt));
    };
    if (t != causal::kMainThread) add({0, false, true, {}, {}, 0});
    for (const HeddleRecord& operation : operations) {
      if (!blocks_for_ever(operation)) continue;
      if (operation.index > 0 && is_timed_wait(operations[operation.index - 1])) continue;
      add({operation.index, false, false, operation, {}, 0});
    }
    for (const auto& [look, round] : execution.repeats)
      if (look.thread == t && look.index < operations.size())
        add({look.index, false, false, operations[look.index], {}, round});
    if (!operations.empty() && operations.back().kind == HEDDLE_THREAD_END)
      add({static_cast<uint32_t>(operations.size()), true, false, {}, {}, 0});
  }
  for (const causal::Waiting& waiting : execution.waiting) {
    const auto& operations = execution.threads[waiting.thread].operations;
    const HeddleRecord next = waited_for(waiting.record, operations);
    if (!blocks_for_ever(next)) continue;
    if (!operations.empty() && is_timed_wait(operations.back())) continue;
    Halt halt{next.index, false, false, next, {}, 0};
    for (const HeldSection& section : causal::sections_of(waiting.thread, operations))
      if (section.release == causal::kNotReleased) halt.held.push_back(section);
    halts[waiting.thread].push_back(std::move(halt));
  }
  for (bool changed = true; changed;) {
    changed = false;
    const Places places(halts);
    for (auto& thread : halts)
      changed |= std::erase_if(thread, [&](const Halt& halt) { return !is_plausible(halt, places); }) > 0;
  }
  return halts;
}

bool all_have_a_halt(const std::vector<std::vector<Halt>>& halts, const Execution& execution) {
  for (ThreadId t = 0; t < halts.size(); ++t)
    if (halts[t].empty() && (t == causal::kMainThread || execution.length(t) > 0)) return false;
  return std::any_of(halts[causal::kMainThread].begin(), halts[causal::kMainThread].end(),
                     [](const Halt& halt) { return !halt.is_unborn; });
}

class Search {
 public:
  Search(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
         const std::function<bool(const std::vector<BlockedThread>&)>& is_new, uint64_t most_work)
      : dependences_(dependences),
        execution_(dependences.execution()),
        problem_(dependences, model),
        ask_(ask),
        is_new_(is_new),
        most_work_(most_work),
        halts_(halts_of(execution_)),
        chosen_(halts_.size()) {}

  DeadlockSearch run() {
    if (all_have_a_halt(halts_, execution_)) choose(0);
    return std::move(result_);
  }

 private:
  void choose(ThreadId thread) {
    if (thread == halts_.size()) {
      if (++combinations_ > kMostCombinations || work_ > most_work_) {
        result_.is_complete = false;
      } else {
        consider();
      }
      return;
    }
    if (execution_.length(thread) == 0 && halts_[thread].empty()) {
      static const Halt kUnborn{0, false, true, {}, {}, 0};
      chosen_[thread] = &kUnborn;
      choose(thread + 1);
      return;
    }
    for (const Halt& halt : halts_[thread]) {
      if (!result_.is_complete) return;
      chosen_[thread] = &halt;
      choose(thread + 1);
    }
  }

  void consider() {
    Cut cut(chosen_.size());
    for (ThreadId t = 0; t < cut.size(); ++t) cut[t] = chosen_[t]->index;
    std::vector<BlockedThread> blocked;
    std::vector<ThreadId> asleep;
    std::vector<EventId> last_looks;
    bool is_livelock = false;
    for (ThreadId t = 0; t < cut.size(); ++t) {
      const Halt& halt = *chosen_[t];
      if (t != causal::kMainThread && execution_.length(t) > 0) {
        const EventId creator = dependences_.needs({t, 0}).front().servers.front();
        if (causal::contains(cut, creator) == halt.is_unborn) return;
      }
      if (halt.is_end || halt.is_unborn) continue;
      if (halt.round) {
        is_livelock = true;
        if (!would_repeat(halt, t, last_looks)) return;
      } else if (!cannot_go_on(halt, cut, t, asleep)) {
        return;
      }
      blocked.push_back({t, halt.next});
    }
    if (blocked.empty() || !is_new_(blocked)) return;
    count_work(cut);
    if (!problem_.build(cut, nullptr, asleep, last_looks)) return;
    const solve::Answer answer = ask_(problem_.order_problem());
    if (answer.kind == solve::Answer::Kind::kUnknown) result_.is_complete = false;
    if (answer.kind != solve::Answer::Kind::kOrder) return;
    result_.found.push_back({std::move(blocked), problem_.steps(answer.order), is_livelock});
  }

  // What the round looked at in memory must be the same in the end; an attempt
  // fails again if the lock is held. Other looks are not followed.
  bool would_repeat(const Halt& halt, ThreadId thread, std::vector<EventId>& last_looks) const {
    for (uint32_t i = halt.index - halt.round; i < halt.index; ++i) {
      const HeddleRecord& look = execution_.operation({thread, i});
      if (!causal::teaches(look)) continue;
      if (causal::reads_memory(look)) {
        last_looks.push_back({thread, i});
        continue;
      }
      const bool takes_lock = semantics::takes_lock(look.kind);
      if (look.flags & HEDDLE_FLAG_MISUSE && semantics::uses_object(look.kind)) return false;
      if (takes_lock && semantics::may_block(look.kind)) continue;  // refused: the thread holds the lock itself
      const bool is_attempt = takes_lock && semantics::form_of(look) == HEDDLE_FORM_ATTEMPT;
      const Wanted wanted = {look.address, semantics::effect_of(look) == HEDDLE_EFFECT_SHARE};
      bool is_held = false;
      for (const Halt* other : chosen_) is_held |= holds(*other, wanted);
      if (!is_attempt || !is_held) return false;
    }
    return true;
  }

  bool cannot_go_on(const Halt& halt, const Cut& cut, ThreadId thread, std::vector<ThreadId>& asleep) const {
    const HeddleRecord& next = halt.next;
    switch (semantics::effect_of(next)) {
      case HEDDLE_EFFECT_JOIN: return !chosen_[static_cast<ThreadId>(next.value)]->is_end;
      case HEDDLE_EFFECT_TAKE: return tokens_left(next.address, cut) == 0;
      case HEDDLE_EFFECT_DEPART: {
        uint64_t round = 0;
        for (uint32_t i = 0; i + 1 < halt.index; ++i) {
          const HeddleRecord& earlier = execution_.operation({thread, i});
          round += semantics::effect_of(earlier) == HEDDLE_EFFECT_ARRIVE && earlier.address == next.address;
        }
        uint64_t arrived = 0;
        for (const EventId arrival : dependences_.arrivals(next.address, round))
          arrived += causal::contains(cut, arrival);
        return arrived < dependences_.barrier_count(next.address);
      }
      default: break;
    }
    const auto wanted = wanted_lock(next);
    bool is_held = false;
    for (const Halt* other : chosen_) is_held |= wanted && holds(*other, *wanted);
    if (!causal::ends_wait(next) || is_held) return is_held;
    asleep.push_back(thread);
    return true;
  }

  void count_work(const Cut& cut) const {
    for (const uint32_t operations : cut) work_ += operations;
  }

  int64_t tokens_left(uint64_t semaphore, const Cut& cut) const {
    count_work(cut);
    int64_t tokens = static_cast<int64_t>(dependences_.initial_tokens(semaphore));
    for (ThreadId t = 0; t < cut.size(); ++t) {
      for (uint32_t i = 0; i < cut[t]; ++i) {
        const HeddleRecord& operation = execution_.operation({t, i});
        if (operation.address != semaphore) continue;
        if (semantics::gave_up(operation)) continue;
        if (semantics::effect_of(operation) == HEDDLE_EFFECT_POST) ++tokens;
        if (semantics::effect_of(operation) == HEDDLE_EFFECT_TAKE) --tokens;
      }
    }
    return tokens;
  }

  const causal::Dependences& dependences_;
  const Execution& execution_;
  CutProblem problem_;
  const AskSolver& ask_;
  const std::function<bool(const std::vector<BlockedThread>&)>& is_new_;
  const uint64_t most_work_;
  mutable uint64_t work_ = 0;
  const std::vector<std::vector<Halt>> halts_;
  std::vector<const Halt*> chosen_;
  size_t combinations_ = 0;
  DeadlockSearch result_;
};

}  // namespace

bool may_deadlock(const Execution& execution) { return all_have_a_halt(halts_of(execution), execution); }

DeadlockSearch find_deadlocks(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
                              const std::function<bool(const std::vector<BlockedThread>&)>& is_new,
                              uint64_t most_work) {
  return Search(dependences, model, ask, is_new, most_work).run();
}

}  // namespace heddle::property
