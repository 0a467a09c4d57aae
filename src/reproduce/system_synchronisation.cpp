// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation as order constraints. Which signal woke whom, and which token
// a wait took, was not recorded: these are choices of the solver.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reproduce/system.h"
#include "semantics/meaning.h"

namespace heddle::reproduce {

using solve::Event;
using solve::kNoEvent;
using solve::Literal;

namespace {

constexpr size_t kMostPairs = 300000;  // of a wait and what may have ended it

HeddleEffect effect_of(const Operation& operation) { return semantics::effect_of(operation.kind); }
HeddleFamily family_of(const Operation& operation) { return semantics::family_of(operation.kind); }
bool gave_up(const Operation& operation) { return semantics::gave_up(operation.flags); }

// What the operation does to a lock: a mutex, a reader-writer lock, or the running of a one-time initialisation.
HeddleEffect effect_on_lock(const Operation& operation) {
  const HeddleEffect effect = effect_of(operation);
  switch (family_of(operation)) {
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: return gave_up(operation) ? HEDDLE_EFFECT_NONE : effect;
    case HEDDLE_FAMILY_CONDITION:
      if (effect == HEDDLE_EFFECT_WAIT && !gave_up(operation)) return HEDDLE_EFFECT_RELEASE;
      return semantics::takes_mutex_back(operation.kind, operation.flags) ? HEDDLE_EFFECT_ACQUIRE : HEDDLE_EFFECT_NONE;
    case HEDDLE_FAMILY_ONCE:
      if (effect == HEDDLE_EFFECT_FINISH) return HEDDLE_EFFECT_RELEASE;
      return operation.runs_once ? HEDDLE_EFFECT_ACQUIRE : HEDDLE_EFFECT_NONE;
    default: return HEDDLE_EFFECT_NONE;
  }
}

}  // namespace

void System::add_locks() {
  struct Attempt {
    Event event;
    uint64_t lock;
    bool is_shared;
  };
  std::map<uint64_t, solve::Lock> locks;
  std::vector<Attempt> attempts;
  std::set<uint64_t> not_understood;  // locks that are given back by threads that do not hold them
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    struct Held {
      size_t section;
      uint32_t depth;
    };
    std::map<uint64_t, Held> held;
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      // A reader may also have failed because of a writer that is lined up: for the machine to see.
      const bool is_shared = effect_of(operation) == HEDDLE_EFFECT_SHARE;
      if (semantics::is_vain_attempt(operation.kind, operation.flags) && !(is_shared && operation.type != 0))
        attempts.push_back({event({t, i}), object(operation.address), is_shared});
      const HeddleEffect effect = effect_on_lock(operation);
      const bool takes = effect == HEDDLE_EFFECT_ACQUIRE || effect == HEDDLE_EFFECT_SHARE;
      if (!takes && effect != HEDDLE_EFFECT_RELEASE) continue;
      const bool is_wait = family_of(operation) == HEDDLE_FAMILY_CONDITION;
      const uint64_t lock = object(is_wait ? operation.mutex : operation.address);
      const auto found = held.find(lock);
      if (!takes && found == held.end()) {
        not_understood.insert(lock);
      } else if (!takes) {
        if (--found->second.depth) continue;
        locks[lock].sections[found->second.section].release = event({t, i});
        held.erase(found);
      } else if (found != held.end()) {
        ++found->second.depth;
      } else {
        held[lock] = {locks[lock].sections.size(), 1};
        // What the failing thread holds matters to others only as long as it has not failed.
        const Event release = t == run_.failing_thread ? failure_ : kNoEvent;
        locks[lock].sections.push_back({event({t, i}), release, effect == HEDDLE_EFFECT_SHARE});
      }
    }
    // What others hold where they are cut they give back later.
    for (const auto& [lock, section] : held) {
      solve::Section& open = locks[lock].sections[section.section];
      if (failure_ != kNoEvent && t != run_.failing_thread)
        open.release = moment_after_failure(operation(open.acquire));
    }
  }
  for (const auto& [attempt, lock, is_shared] : attempts) {
    if (is_out_of_time()) return;
    if (not_understood.contains(lock)) continue;
    if (attempts.size() * locks[lock].sections.size() > 10 * kMostPairs)
      return refuse(fmt::format("too much: {} attempts to lock that failed, {} times that the lock was held",
                                attempts.size(), locks[lock].sections.size()));
    solve::Clause somebody_holds_it;
    for (const solve::Section& section : locks[lock].sections) {
      if (is_shared && section.shared) continue;
      const uint32_t choice = new_choice();
      clause({Literal::choice(choice, false), Literal::before(section.acquire, attempt)});
      if (section.release != kNoEvent)
        clause({Literal::choice(choice, false), Literal::before(attempt, section.release)});
      somebody_holds_it.push_back(Literal::choice(choice));
    }
    if (somebody_holds_it.empty())
      put_off(operation(attempt), "an attempt to lock failed although nobody ever held the lock");
    if (!somebody_holds_it.empty()) clause_about(operation(attempt), std::move(somebody_holds_it));
  }
  for (auto& [address, lock] : locks)
    if (!not_understood.contains(address)) problem_.locks.push_back(std::move(lock));
}

struct System::Queue {
  struct Wait {
    Event begin;
    Event woken = kNoEvent;   // where it ends because of a signal,
    Event leaves = kNoEvent;  // or by itself; neither: it has not ended
  };
  std::vector<Wait> waits;
  std::vector<Event> signals, broadcasts;  // that wake one thread, and more than one
};

void System::add_waits() {
  std::map<uint64_t, Queue> queues;
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    std::map<uint64_t, size_t> last;  // of the waits for each object, that of this thread
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      const HeddleFamily family = family_of(operation);
      if (family != HEDDLE_FAMILY_CONDITION && family != HEDDLE_FAMILY_WORD) continue;
      const Event e = event({t, i});
      const uint64_t address = object(operation.address);
      Queue& queue = queues[address];
      const auto own = last.find(address);
      switch (effect_of(operation)) {
        case HEDDLE_EFFECT_WAIT:
          if (gave_up(operation)) break;
          last[address] = queue.waits.size();
          queue.waits.push_back({e});
          break;
        case HEDDLE_EFFECT_RESUME:
        case HEDDLE_EFFECT_LEAVE:
          if (own == last.end()) break;
          if (effect_of(operation) == HEDDLE_EFFECT_RESUME && semantics::was_woken(operation.flags)) {
            queue.waits[own->second].woken = e;
          } else if (queue.waits[own->second].leaves == kNoEvent) {
            queue.waits[own->second].leaves = e;
          }
          break;
        case HEDDLE_EFFECT_WAKE:
          if (operation.amount) (operation.amount == 1 ? queue.signals : queue.broadcasts).push_back(e);
          break;
        default: break;
      }
    }
  }
  for (const auto& [address, queue] : queues) add_queue(queue);
}

// Each wait that was woken has a waker of its own; a broadcast serves any number.
void System::add_queue(const Queue& queue) {
  if (queue.waits.size() * (queue.signals.size() + queue.broadcasts.size()) > kMostPairs ||
      queue.waits.size() * queue.waits.size() * queue.signals.size() > 100 * kMostPairs)
    return refuse(fmt::format("too much: {} waits for a condition, {} signals", queue.waits.size(),
                              queue.signals.size() + queue.broadcasts.size()));
  std::vector<std::vector<uint32_t>> wakes(queue.signals.size());
  for (const Queue::Wait& wait : queue.waits) {
    if (wait.woken == kNoEvent) continue;
    if (is_out_of_time()) return;
    solve::Clause somebody_woke_it;
    const auto add_waker = [&](Event waker) {
      const uint32_t choice = new_choice();
      clause({Literal::choice(choice, false), Literal::before(wait.begin, waker)});
      clause({Literal::choice(choice, false), Literal::before(waker, wait.woken)});
      somebody_woke_it.push_back(Literal::choice(choice));
      return choice;
    };
    for (size_t s = 0; s < queue.signals.size(); ++s) {
      if (operation(queue.signals[s]).thread == operation(wait.begin).thread) continue;
      const uint32_t choice = add_waker(queue.signals[s]);
      for (const uint32_t other : wakes[s]) clause({Literal::choice(choice, false), Literal::choice(other, false)});
      wakes[s].push_back(choice);
    }
    for (const Event broadcast : queue.broadcasts)
      if (operation(broadcast).thread != operation(wait.begin).thread) add_waker(broadcast);
    if (somebody_woke_it.empty())
      put_off(operation(wait.woken), "a wait ended although nobody is known to have signalled");
    if (!somebody_woke_it.empty()) clause_about(operation(wait.woken), std::move(somebody_woke_it));
  }
  add_leaves(queue, wakes);
}

// A wait that ended by itself was not woken before: signals during it woke others.
void System::add_leaves(const Queue& queue, const std::vector<std::vector<uint32_t>>& wakes) {
  const auto has_ended = [](const Queue::Wait& wait) { return wait.woken != kNoEvent || wait.leaves != kNoEvent; };
  // A signal may have woken a thread that did not get to run again; who that was has no choice here.
  const bool all_end = std::all_of(queue.waits.begin(), queue.waits.end(), has_ended);
  for (const Queue::Wait& wait : queue.waits) {
    if (wait.leaves == kNoEvent) continue;
    if (is_out_of_time()) return;
    const auto add = [&](Event waker, const std::vector<uint32_t>& others) {
      if (operation(waker).thread == operation(wait.begin).thread) return;
      solve::Clause was_not_for_it = {Literal::before(waker, wait.begin), Literal::before(wait.leaves, waker)};
      for (const uint32_t other : others) was_not_for_it.push_back(Literal::choice(other));
      clause_about(operation(wait.leaves), std::move(was_not_for_it));
    };
    for (size_t s = 0; s < queue.signals.size() && all_end; ++s) add(queue.signals[s], wakes[s]);
    for (const Event broadcast : queue.broadcasts)
      if (run_.at(operation(broadcast)).amount >= semantics::kAllWaiters) add(broadcast, {});
  }
}

// Whoever finds a one-time initialisation done comes after it was; who began it in vain came before.
void System::add_onces() {
  struct Once {
    std::vector<Event> failures, successes, later;
  };
  std::map<uint64_t, Once> onces;
  for (Event e = 0; e < issued_; ++e) {
    const Operation& operation = run_.at(operations_[e]);
    if (family_of(operation) != HEDDLE_FAMILY_ONCE) continue;
    Once& once = onces[object(operation.address)];
    if (effect_of(operation) == HEDDLE_EFFECT_INIT) {
      put_off(operations_[e], "the flag of a one-time initialisation is initialised anew");
    } else if (effect_of(operation) == HEDDLE_EFFECT_FINISH) {
      (gave_up(operation) ? once.failures : once.successes).push_back(e);
    } else if (!operation.runs_once) {
      once.later.push_back(e);
    }
  }
  for (const auto& [address, once] : onces) {
    for (const Event later : once.later) {
      solve::Clause is_done;
      for (const Event success : once.successes) is_done.push_back(Literal::before(success, later));
      if (is_done.empty()) {
        put_off(operation(later), "a one-time initialisation was done that nobody is known to have run");
      } else {
        clause_about(operation(later), std::move(is_done));
      }
    }
    if (once.successes.size() != 1) continue;
    for (const Event failure : once.failures) edge(failure, once.successes.front());
  }
}

void System::add_barriers() {
  std::map<uint64_t, uint64_t> counts;
  std::map<uint64_t, std::map<uint32_t, std::vector<Event>>> arrivals;  // by barrier and thread
  for (const Thread& thread : run_.threads)
    for (const Operation& operation : thread.operations)
      if (family_of(operation) == HEDDLE_FAMILY_BARRIER && effect_of(operation) == HEDDLE_EFFECT_INIT)
        counts[object(operation.address)] = operation.amount;
  for (Event e = 0; e < issued_; ++e)
    if (effect_of(run_.at(operations_[e])) == HEDDLE_EFFECT_ARRIVE)
      arrivals[object(run_.at(operations_[e]).address)][operations_[e].thread].push_back(e);
  for (const auto& [barrier, threads] : arrivals)
    if (threads.size() > counts[barrier])
      refuse("more threads used a barrier than it waits for: who met whom is not known");
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    std::map<uint64_t, size_t> rounds;
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      if (effect_of(operation) != HEDDLE_EFFECT_DEPART) continue;
      const size_t round = rounds[object(operation.address)]++;
      if (arrivals[object(operation.address)].size() < counts[object(operation.address)])
        put_off({t, i}, "a thread left a barrier at which others are not known to have arrived");
      for (const auto& [thread, events] : arrivals[object(operation.address)]) {
        if (round < events.size()) {
          edge(events[round], event({t, i}));
        } else {
          put_off({t, i}, "a thread left a barrier at which another is not known to have arrived");
        }
      }
    }
  }
}

void System::add_semaphores() {
  struct Semaphore {
    uint64_t initial = 0;
    std::vector<Event> waits, posts;
  };
  std::map<uint64_t, Semaphore> semaphores;
  for (Event e = 0; e < issued_; ++e) {
    const Operation& operation = run_.at(operations_[e]);
    if (family_of(operation) != HEDDLE_FAMILY_SEMAPHORE || gave_up(operation)) continue;
    Semaphore& semaphore = semaphores[object(operation.address)];
    switch (effect_of(operation)) {
      case HEDDLE_EFFECT_INIT: semaphore.initial = operation.amount; break;
      case HEDDLE_EFFECT_POST: semaphore.posts.push_back(e); break;
      case HEDDLE_EFFECT_TAKE: semaphore.waits.push_back(e); break;
      default: break;
    }
  }
  for (const auto& [address, semaphore] : semaphores) {
    if (semaphore.initial >= semaphore.waits.size()) continue;
    const size_t all = semaphore.initial + semaphore.posts.size();
    if (semaphore.waits.size() * all > kMostPairs ||
        semaphore.waits.size() * semaphore.waits.size() * all > 100 * kMostPairs) {
      refuse(fmt::format("too much: {} waits for a semaphore, {} tokens", semaphore.waits.size(), all));
      continue;
    }
    std::vector<Event> tokens(semaphore.initial, kNoEvent);
    tokens.insert(tokens.end(), semaphore.posts.begin(), semaphore.posts.end());
    if (tokens.size() < semaphore.waits.size() && failure_ == kNoEvent)
      refuse("more waits for a semaphore ended than were posted");
    std::vector<std::vector<uint32_t>> takes(tokens.size());
    for (const Event wait : semaphore.waits) {
      if (is_out_of_time()) return;
      solve::Clause takes_one;
      for (size_t token = 0; token < tokens.size(); ++token) {
        const uint32_t choice = new_choice();
        if (tokens[token] != kNoEvent) clause({Literal::choice(choice, false), Literal::before(tokens[token], wait)});
        for (const uint32_t other : takes[token])
          clause({Literal::choice(choice, false), Literal::choice(other, false)});
        takes[token].push_back(choice);
        takes_one.push_back(Literal::choice(choice));
      }
      if (takes_one.empty()) put_off(operation(wait), "a wait for a semaphore ended that nobody posted");
      if (!takes_one.empty()) clause_about(operation(wait), std::move(takes_one));
    }
  }
}

}  // namespace heddle::reproduce
