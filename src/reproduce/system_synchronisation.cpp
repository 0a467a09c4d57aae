// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation as order constraints. Which signal woke whom, and which token
// a wait took, was not recorded: these are choices of the solver.
#include <fmt/format.h>

#include <map>

#include "reproduce/system.h"

namespace heddle::reproduce {

using solve::Event;
using solve::kNoEvent;
using solve::Literal;

namespace {

constexpr size_t kMostPairs = 300000;  // of a wait and what may have ended it

bool gave_up(const Operation& operation) { return operation.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT); }

enum class Effect : uint8_t { kNone, kAcquire, kShare, kRelease };

Effect effect_on_lock(const Operation& operation) {
  if (gave_up(operation)) return Effect::kNone;
  switch (operation.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_COND_RESUME: return Effect::kAcquire;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD: return Effect::kShare;
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK:
    case HEDDLE_COND_WAIT: return Effect::kRelease;
    default: return Effect::kNone;
  }
}

}  // namespace

void System::add_locks() {
  std::map<uint64_t, solve::Lock> locks;
  std::vector<std::pair<Event, uint64_t>> failures;
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    struct Held {
      size_t section;
      uint32_t depth;
    };
    std::map<uint64_t, Held> held;
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      if (operation.kind == HEDDLE_MUTEX_TRYLOCK && gave_up(operation))
        failures.push_back({event({t, i}), object(operation.address)});
      const Effect effect = effect_on_lock(operation);
      if (effect == Effect::kNone) continue;
      const bool waits = operation.kind == HEDDLE_COND_WAIT || operation.kind == HEDDLE_COND_RESUME;
      const uint64_t lock = object(waits ? operation.mutex : operation.address);
      const auto found = held.find(lock);
      if (effect == Effect::kRelease) {
        if (found == held.end() || --found->second.depth) continue;
        locks[lock].sections[found->second.section].release = event({t, i});
        held.erase(found);
      } else if (found != held.end()) {
        ++found->second.depth;
      } else {
        held[lock] = {locks[lock].sections.size(), 1};
        // What the failing thread holds matters to others only as long as it has not failed.
        const Event release = t == run_.failing_thread ? failure_ : kNoEvent;
        locks[lock].sections.push_back({event({t, i}), release, effect == Effect::kShare});
      }
    }
    // What others hold where they are cut they give back later.
    for (const auto& [lock, section] : held) {
      solve::Section& open = locks[lock].sections[section.section];
      if (failure_ != kNoEvent && t != run_.failing_thread)
        open.release = moment_after_failure(operation(open.acquire));
    }
  }
  for (const auto& [attempt, lock] : failures) {
    if (is_out_of_time()) return;
    if (failures.size() * locks[lock].sections.size() > 10 * kMostPairs)
      return refuse(fmt::format("too much: {} attempts to lock that failed, {} times that the lock was held",
                                failures.size(), locks[lock].sections.size()));
    solve::Clause somebody_holds_it;
    for (const solve::Section& section : locks[lock].sections) {
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
  for (auto& [address, lock] : locks) problem_.locks.push_back(std::move(lock));
}

struct System::Queue {
  std::vector<std::pair<Event, Event>> waits;  // begin, end; kNoEvent: still asleep
  std::vector<Event> signals, broadcasts;
};

void System::add_waits() {
  std::map<uint64_t, Queue> queues;
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      const Event e = event({t, i});
      switch (operation.kind) {
        case HEDDLE_COND_WAIT: queues[object(operation.address)].waits.push_back({e, kNoEvent}); break;
        case HEDDLE_COND_RESUME:
          if (!gave_up(operation)) queues[object(operation.address)].waits.back().second = e;
          break;
        case HEDDLE_COND_SIGNAL: queues[object(operation.address)].signals.push_back(e); break;
        case HEDDLE_COND_BROADCAST: queues[object(operation.address)].broadcasts.push_back(e); break;
        default: break;
      }
    }
  }
  for (const auto& [address, queue] : queues) add_queue(queue);
}

// Each wait that ended has a waker of its own; a broadcast serves any number.
void System::add_queue(const Queue& queue) {
  if (queue.waits.size() * (queue.signals.size() + queue.broadcasts.size()) > kMostPairs ||
      queue.waits.size() * queue.waits.size() * queue.signals.size() > 100 * kMostPairs)
    return refuse(fmt::format("too much: {} waits for a condition, {} signals", queue.waits.size(),
                              queue.signals.size() + queue.broadcasts.size()));
  std::vector<std::vector<uint32_t>> wakes(queue.signals.size());
  for (const auto& [begin, end] : queue.waits) {
    if (end == kNoEvent) continue;
    if (is_out_of_time()) return;
    solve::Clause somebody_woke_it;
    const auto add_waker = [&](Event waker) {
      const uint32_t choice = new_choice();
      clause({Literal::choice(choice, false), Literal::before(begin, waker)});
      clause({Literal::choice(choice, false), Literal::before(waker, end)});
      somebody_woke_it.push_back(Literal::choice(choice));
      return choice;
    };
    for (size_t s = 0; s < queue.signals.size(); ++s) {
      const OperationId signal = operation(queue.signals[s]), wait = operation(begin);
      if (signal.thread == wait.thread) continue;
      const uint32_t choice = add_waker(queue.signals[s]);
      for (const uint32_t other : wakes[s]) clause({Literal::choice(choice, false), Literal::choice(other, false)});
      wakes[s].push_back(choice);
    }
    for (const Event broadcast : queue.broadcasts)
      if (operation(broadcast).thread != operation(begin).thread) add_waker(broadcast);
    if (somebody_woke_it.empty()) put_off(operation(end), "a wait ended although nobody is known to have signalled");
    if (!somebody_woke_it.empty()) clause_about(operation(end), std::move(somebody_woke_it));
  }
}

void System::add_barriers() {
  std::map<uint64_t, uint64_t> counts;
  std::map<uint64_t, std::map<uint32_t, std::vector<Event>>> arrivals;  // by barrier and thread
  for (const Thread& thread : run_.threads)
    for (const Operation& operation : thread.operations)
      if (operation.kind == HEDDLE_BARRIER_INIT) counts[object(operation.address)] = operation.count;
  for (Event e = 0; e < issued_; ++e)
    if (run_.at(operations_[e]).kind == HEDDLE_BARRIER_ARRIVE)
      arrivals[object(run_.at(operations_[e]).address)][operations_[e].thread].push_back(e);
  for (const auto& [barrier, threads] : arrivals)
    if (threads.size() > counts[barrier])
      refuse("more threads used a barrier than it waits for: who met whom is not known");
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    std::map<uint64_t, size_t> rounds;
    for (uint32_t i = 0; i < run_.threads[t].operations.size(); ++i) {
      const Operation& operation = run_.threads[t].operations[i];
      if (operation.kind != HEDDLE_BARRIER_LEAVE) continue;
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
    if (gave_up(operation)) continue;
    if (operation.kind == HEDDLE_SEM_INIT) semaphores[object(operation.address)].initial = operation.count;
    if (operation.kind == HEDDLE_SEM_POST) semaphores[object(operation.address)].posts.push_back(e);
    if (operation.kind == HEDDLE_SEM_WAIT || operation.kind == HEDDLE_SEM_TRYWAIT)
      semaphores[object(operation.address)].waits.push_back(e);
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
