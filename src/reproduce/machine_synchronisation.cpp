// SPDX-License-Identifier: Apache-2.0
//
// Locks, waits and threads of the machine. A signal is kept as a token that any
// thread may take that waited when it was sent; who resumes takes the oldest one
// that it may, since those who came later could not take it.
#include "reproduce/machine.h"

namespace heddle::reproduce {

bool Machine::is_free(uint64_t mutex, uint32_t thread) const {
  const auto lock = locks_.find(mutex);
  return lock == locks_.end() || lock->second.owner == kNobody || lock->second.owner == thread;
}

bool Machine::is_woken(uint32_t thread, uint64_t object) const {
  const auto queue = queues_.find(object);
  if (queue == queues_.end()) return false;
  const auto since = queue->second.waiting.find(thread);
  if (since == queue->second.waiting.end()) return false;
  for (const auto& [number, for_all] : queue->second.signals)
    if (number >= since->second) return true;
  return false;
}

void Machine::take_signal(uint32_t thread, uint64_t object) {
  Queue& queue = queues_[object];
  const uint32_t since = queue.waiting[thread];
  queue.waiting.erase(thread);
  for (const auto& [number, for_all] : queue.signals)
    if (number >= since && for_all) return;
  for (auto signal = queue.signals.begin(); signal != queue.signals.end(); ++signal) {
    if (signal->first < since) continue;
    queue.signals.erase(signal);
    return;
  }
}

// Signals that nobody who waits now can take play no part.
uint64_t Machine::hash_of_waits() const {
  uint64_t hash = 0;
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 31;
  };
  for (const auto& [object, queue] : queues_) {
    mix(object);
    for (const auto& [thread, since] : queue.waiting) {
      mix(thread);
      for (const auto& [number, for_all] : queue.signals)
        if (number >= since) mix(for_all ? 2 : 1);
    }
  }
  return hash;
}

void Machine::synchronise(uint32_t thread, const Operation& operation) {
  if (operation.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) return;
  const auto acquire = [&](uint64_t address) {
    Lock& lock = locks_[address];
    lock.owner = thread;
    ++lock.depth;
  };
  const auto release = [&](uint64_t address) {
    Lock& lock = locks_[address];
    if (lock.owner == thread) {
      if (--lock.depth == 0) lock.owner = kNobody;
    } else if (const auto reader = lock.readers.find(thread); reader != lock.readers.end()) {
      lock.readers.erase(reader);
    }
  };
  switch (operation.kind) {
    case HEDDLE_THREAD_CREATE:
      if (operation.other != kNobody) {
        threads_[operation.other].is_created = true;
        check_conditions(operation.other);
      }
      break;
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE: acquire(value(operation.address)); break;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD: locks_[value(operation.address)].readers.insert(thread); break;
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK: release(value(operation.address)); break;
    case HEDDLE_COND_WAIT: {
      release(value(operation.mutex));
      Queue& queue = queues_[value(operation.address)];
      queue.waiting[thread] = queue.next;
      break;
    }
    case HEDDLE_COND_RESUME:
      take_signal(thread, value(operation.address));
      acquire(value(operation.mutex));
      break;
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_COND_BROADCAST: {
      Queue& queue = queues_[value(operation.address)];
      if (queue.waiting.empty()) break;
      queue.signals.push_back({queue.next++, operation.kind == HEDDLE_COND_BROADCAST});
      break;
    }
    case HEDDLE_SEM_INIT: semaphores_[value(operation.address)] = operation.count; break;
    case HEDDLE_SEM_POST: ++semaphores_[value(operation.address)]; break;
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT: --semaphores_[value(operation.address)]; break;
    case HEDDLE_BARRIER_INIT: barriers_[value(operation.address)] = {operation.count, 0, 0}; break;
    case HEDDLE_BARRIER_ARRIVE: {
      Barrier& barrier = barriers_[value(operation.address)];
      rounds_[{thread, value(operation.address)}] = barrier.round;
      if (++barrier.arrived < barrier.count) break;
      barrier.arrived = 0;
      ++barrier.round;
      break;
    }
    default: break;
  }
}

}  // namespace heddle::reproduce
