// SPDX-License-Identifier: Apache-2.0
#include "property/lock_cycles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "causal/operation.h"
#include "causal/sections.h"
#include "property/blocking.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"

namespace heddle::property {

using causal::Cut;
using causal::EventId;
using causal::Execution;
using causal::HeldSection;
using causal::ThreadId;

namespace {

// In listing circles; and of the operations of one: choices that are looked at, and questions.
constexpr size_t kMostSteps = 200'000, kMostChoices = 20'000, kMostAsked = 100;

using Held = std::vector<Wanted>;  // locks, and whether they are shared; ascending

// Waits that are alike.
struct Wait {
  ThreadId thread = 0;
  std::optional<Wanted> lock;
  ThreadId joined = 0;  // if there is no lock
  Held held;
  std::vector<HeddleRecord> operations;

  bool is_for(const Wait& other) const {
    if (thread == other.thread) return false;
    if (!lock) return joined == other.thread;
    return std::any_of(other.held.begin(), other.held.end(), [&](const Wanted& theirs) {
      return theirs.lock == lock->lock && !(theirs.is_shared && lock->is_shared);
    });
  }
};

// Both hold a lock that cannot have two holders.
bool exclude(const Wait& one, const Wait& other) {
  for (const Wanted& mine : one.held)
    for (const Wanted& theirs : other.held)
      if (mine.lock == theirs.lock && !(mine.is_shared && theirs.is_shared)) return true;
  return false;
}

class WaitList {
 public:
  explicit WaitList(const Execution& execution) {
    for (ThreadId t = 0; t < execution.threads.size(); ++t) {
      const auto& operations = execution.threads[t].operations;
      const std::vector<HeldSection> sections = causal::sections_of(t, operations);
      std::vector<HeldSection> open;
      size_t next = 0;
      const auto reach = [&](uint32_t index) {
        for (; next < sections.size() && sections[next].acquire < index; ++next) open.push_back(sections[next]);
        std::erase_if(open, [&](const HeldSection& section) { return section.release < index; });
      };
      for (const HeddleRecord& operation : operations) {
        if (!blocks_for_ever(operation) || (operation.index > 0 && is_timed_wait(operations[operation.index - 1])))
          continue;
        reach(operation.index);
        add(t, operation, open);
      }
      for (const causal::Waiting& waiting : execution.waiting) {
        if (waiting.thread != t) continue;
        const HeddleRecord last = waited_for(waiting.record, operations);
        if (!blocks_for_ever(last) || (!operations.empty() && is_timed_wait(operations.back()))) continue;
        reach(last.index);
        add(t, last, open);
      }
    }
    for (auto& [key, wait] : by_key_) waits.push_back(std::move(wait));
    by_key_.clear();
    while (drop_those_in_no_circle()) {
    }
  }

  std::vector<Wait> waits;

 private:
  using Key = std::tuple<ThreadId, uint32_t, std::optional<Wanted>, ThreadId, Held>;

  void add(ThreadId thread, const HeddleRecord& operation, const std::vector<HeldSection>& open) {
    const std::optional<Wanted> lock = wanted_lock(operation);
    if (!lock && operation.kind != HEDDLE_THREAD_JOIN) return;
    const ThreadId joined = lock ? 0 : static_cast<ThreadId>(operation.value);
    Held held;
    for (const HeldSection& section : open) held.push_back({section.lock, section.is_shared});
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    Wait& wait = by_key_[{thread, operation.site, lock, joined, held}];
    wait.thread = thread;
    wait.lock = lock;
    wait.joined = joined;
    wait.held = std::move(held);
    wait.operations.push_back(operation);
  }

  // Those that wait for nobody here, or that nobody here waits for. True: there were some.
  bool drop_those_in_no_circle() {
    std::set<Wanted> held, wanted;
    std::set<ThreadId> present, joined;
    for (const Wait& wait : waits) {
      held.insert(wait.held.begin(), wait.held.end());
      present.insert(wait.thread);
      wait.lock ? (void)wanted.insert(*wait.lock) : (void)joined.insert(wait.joined);
    }
    const auto meet = [](const std::set<Wanted>& others, const Wanted& own) {
      return others.count({own.lock, false}) || (!own.is_shared && others.count({own.lock, true}));
    };
    return std::erase_if(waits, [&](const Wait& wait) {
             const bool waits_for_one = wait.lock ? meet(held, *wait.lock) : present.count(wait.joined) > 0;
             const auto is_wanted = [&](const Wanted& own) { return meet(wanted, own); };
             return !waits_for_one ||
                    !(joined.count(wait.thread) || std::any_of(wait.held.begin(), wait.held.end(), is_wanted));
           }) > 0;
  }

  std::map<Key, Wait> by_key_;
};

class Search {
 public:
  Search(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
         const std::function<bool(const std::vector<BlockedThread>&)>& is_new,
         const std::function<bool(const LockCycle&)>& take)
      : dependences_(dependences),
        execution_(dependences.execution()),
        list_(execution_),
        closure_(dependences),
        problem_(dependences, model),
        ask_(ask),
        is_new_(is_new),
        take_(take) {
    for (const Wait& wait : list_.waits) {
      for (const Wanted& own : wait.held) holders_[own.lock].insert(&wait);
      by_thread_[wait.thread].push_back(&wait);
    }
  }

  bool run() {
    for (const Wait& wait : list_.waits) {
      path_ = {&wait};
      extend();
    }
    return is_complete_;
  }

 private:
  // The first of a path has the least thread, so that each circle is found once.
  void extend() {
    if (++steps_ > kMostSteps) {
      is_complete_ = false;
      return;
    }
    const Wait& last = *path_.back();
    if (path_.size() > 1 && last.is_for(*path_.front())) look_at_circle();
    const auto follow = [&](const Wait* next) {
      if (next->thread <= path_.front()->thread || !last.is_for(*next)) return;
      for (const Wait* earlier : path_)
        if (earlier->thread == next->thread || exclude(*earlier, *next)) return;
      path_.push_back(next);
      extend();
      path_.pop_back();
    };
    if (last.lock) {
      for (const Wait* next : holders_[last.lock->lock]) follow(next);
    } else {
      for (const Wait* next : by_thread_[last.joined]) follow(next);
    }
  }

  void look_at_circle() {
    std::vector<uint32_t> sites;
    for (const Wait* wait : path_) sites.push_back(wait->operations.front().site);
    std::sort(sites.begin(), sites.end());
    std::vector<size_t> choice(path_.size(), 0);
    for (size_t asked = 0, choices = 0; !settled_.count(sites);) {
      std::vector<BlockedThread> blocked;
      for (size_t i = 0; i < path_.size(); ++i) blocked.push_back({path_[i]->thread, path_[i]->operations[choice[i]]});
      if (choices == 0 && !is_new_(blocked)) return;
      const bool is_possible = may_meet(blocked);
      asked += is_possible;
      if (asked > kMostAsked || ++choices > kMostChoices) {
        is_complete_ = false;
        return;
      }
      if (is_possible && ask(blocked)) settled_.insert(sites);
      size_t place = 0;
      while (place < choice.size() && ++choice[place] == path_[place]->operations.size()) choice[place++] = 0;
      if (place == choice.size()) return;
    }
  }

  // What one has done does not need what another of them has not.
  bool may_meet(const std::vector<BlockedThread>& blocked) {
    for (const BlockedThread& one : blocked)
      for (const BlockedThread& other : blocked) {
        if (one.thread == other.thread || other.operation.index == 0) continue;
        const EventId waits{one.thread, one.operation.index}, done{other.thread, other.operation.index - 1};
        if (waits.index < execution_.length(waits.thread) && dependences_.must_order().before(waits, done))
          return false;
      }
    return true;
  }

  // True: it stands.
  bool ask(const std::vector<BlockedThread>& blocked) {
    Cut required(execution_.threads.size(), 0), limits(execution_.threads.size(), ~0u);
    for (const BlockedThread& one : blocked) required[one.thread] = limits[one.thread] = one.operation.index;
    const auto cuts = closure_.close_within(required, limits);
    if (!cuts) is_complete_ = false;
    if (!cuts) return false;
    for (const Cut& cut : *cuts) {
      if (!problem_.build(cut)) continue;
      const solve::Answer answer = ask_(problem_.order_problem());
      if (answer.kind == solve::Answer::Kind::kUnknown) is_complete_ = false;
      if (answer.kind != solve::Answer::Kind::kOrder) continue;
      return take_({blocked, problem_.steps(answer.order)});
    }
    return false;
  }

  const causal::Dependences& dependences_;
  const Execution& execution_;
  const WaitList list_;
  CutClosure closure_;
  CutProblem problem_;
  const AskSolver& ask_;
  const std::function<bool(const std::vector<BlockedThread>&)>& is_new_;
  const std::function<bool(const LockCycle&)>& take_;
  std::map<uint64_t, std::set<const Wait*>> holders_;  // by lock, in the order of the list
  std::map<ThreadId, std::vector<const Wait*>> by_thread_;
  std::vector<const Wait*> path_;
  std::set<std::vector<uint32_t>> settled_;  // by sites
  size_t steps_ = 0;
  bool is_complete_ = true;
};

}  // namespace

bool may_have_lock_cycle(const Execution& execution) { return !WaitList(execution).waits.empty(); }

bool find_lock_cycles(const causal::Dependences& dependences, schedule::MemoryModel model, const AskSolver& ask,
                      const std::function<bool(const std::vector<BlockedThread>&)>& is_new,
                      const std::function<bool(const LockCycle&)>& take) {
  return Search(dependences, model, ask, is_new, take).run();
}

}  // namespace heddle::property
