// SPDX-License-Identifier: Apache-2.0
//
// Objects of synchronisation of the machine on which witnesses are checked: locks,
// conditions, barriers, semaphores, one-time initialisation. A referee: it shares
// nothing with src/semantics, and says itself what operations do.
#include <algorithm>

#include "predict/witness_machine.h"

namespace heddle::predict {

std::string WitnessMachine::refusal_of_object(const HeddleRecord& record) {
  const auto is_held = [&](uint64_t lock) {
    return locks_[lock].owner != kNobody && locks_[lock].owner != record.thread;
  };
  const bool fails = gave_up(record);
  if (fails && (record.flags & HEDDLE_FLAG_MISUSE)) return "";  // the object was not to be used like that
  const auto is_behind_writer = [&] {
    const Lock& lock = locks_[record.address];
    return lock.prefers_writers && !lock.lined_up.empty() && !lock.readers.empty();
  };
  switch (record.kind) {
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_COND_WAIT: {
      const Lock& lock = locks_[record.kind == HEDDLE_COND_WAIT ? record.value : record.address];
      const bool is_stranger = lock.owner != record.thread;
      return fails || is_stranger == ((record.flags & HEDDLE_FLAG_MISUSE) != 0) ? "" : "its lock has another owner";
    }
    case HEDDLE_MUTEX_DESTROY:
      return fails || (record.flags & HEDDLE_FLAG_MISUSE) || locks_[record.address].owner == kNobody
                 ? ""
                 : "its lock is held";
    case HEDDLE_COND_DESTROY: {
      const std::set<uint32_t>& waiting = waiting_[record.address];
      const auto sleeps = [&](uint32_t thread) { return !woken_.count(thread); };
      return std::any_of(waiting.begin(), waiting.end(), sleeps) ? "a thread waits there" : "";
    }
    case HEDDLE_BARRIER_DESTROY: return barriers_[record.address].arrived.empty() ? "" : "a thread waits there";
    case HEDDLE_MUTEX_LOCK: return is_held(record.address) ? "its lock is held" : "";
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
      return (locks_[record.address].owner != kNobody) == fails || (!fails && !is_held(record.address))
                 ? ""
                 : "its attempt would end differently";
    case HEDDLE_RWLOCK_READ:
      if (is_behind_writer() && !fails) return "a writer is lined up";
      return is_held(record.address) ? "its lock is held" : "";
    case HEDDLE_RWLOCK_WRITE:
      return is_held(record.address) || !locks_[record.address].readers.empty() ? "its lock is held" : "";
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD:
      return (locks_[record.address].owner != kNobody || is_behind_writer()) == fails
                 ? ""
                 : "its attempt would end differently";
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE:
      return (locks_[record.address].owner != kNobody || !locks_[record.address].readers.empty()) == fails
                 ? ""
                 : "its attempt would end differently";
    case HEDDLE_COND_RESUME:
      if (is_held(record.value)) return "its mutex is held";
      return fails || (record.flags & HEDDLE_FLAG_SPURIOUS) || woken_.count(record.thread) ? "" : "nobody woke it";
    case HEDDLE_AWAIT_RESUME:
      return fails || (record.flags & HEDDLE_FLAG_SPURIOUS) || woken_.count(record.thread) ? "" : "nobody woke it";
    case HEDDLE_BARRIER_LEAVE:
      return barriers_[record.address].leaving.count(record.thread) ? "" : "the barrier is closed";
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT: {
      const uint64_t tokens = semaphores_.try_emplace(record.address, record.value + (fails ? 0 : 1)).first->second;
      return (tokens == 0) == fails ? "" : "the semaphore has another count";
    }
    case HEDDLE_ONCE_ENTER: {
      const Initialisation& once = initialisations_[record.address];
      if (!record.value) return once.is_done ? "" : "it is not initialised";
      return once.is_done || once.runner != kNobody ? "it is initialised by another thread" : "";
    }
    default: return "";
  }
}

std::vector<uint32_t> WitnessMachine::kept_waiting_by(const HeddleRecord& record) {
  std::vector<uint32_t> keepers;
  const auto keeps = [&](uint32_t thread) {
    if (thread != kNobody && thread != record.thread) keepers.push_back(thread);
  };
  switch (record.kind) {
    case HEDDLE_RWLOCK_WRITE:
      for (const uint32_t reader : locks_[record.address].readers) keeps(reader);
      keeps(locks_[record.address].owner);
      break;
    case HEDDLE_MUTEX_LOCK: keeps(locks_[record.address].owner); break;
    case HEDDLE_RWLOCK_READ:
      if (locks_[record.address].prefers_writers)
        for (const uint32_t writer : locks_[record.address].lined_up) keeps(writer);
      keeps(locks_[record.address].owner);
      break;
    case HEDDLE_COND_RESUME: keeps(locks_[record.value].owner); break;
    case HEDDLE_ONCE_ENTER: keeps(initialisations_[record.address].runner); break;
    case HEDDLE_THREAD_JOIN:
      if (record.value < has_ended_.size() && !has_ended_[record.value]) keeps(static_cast<uint32_t>(record.value));
      break;
    default: break;
  }
  return keepers;
}

void WitnessMachine::use_object(const HeddleRecord& record) {
  if (record.kind == HEDDLE_COND_SIGNAL || record.kind == HEDDLE_COND_BROADCAST) return signal(record);
  if (record.kind == HEDDLE_COND_LEAVE) waiting_[record.address].erase(record.thread);
  if (record.kind == HEDDLE_ONCE_DONE) initialisations_[record.address] = {!gave_up(record), kNobody};
  if (record.kind == HEDDLE_ONCE_INIT) initialisations_.erase(record.address);
  if (record.kind == HEDDLE_RWLOCK_WRITE || record.kind == HEDDLE_RWLOCK_TIMEDWRITE)
    locks_[record.address].lined_up.erase(record.thread);  // also if time is up
  if (gave_up(record) && record.kind != HEDDLE_COND_RESUME && record.kind != HEDDLE_AWAIT_RESUME) return;
  switch (record.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: take(locks_[record.address], record.thread); break;
    case HEDDLE_RWLOCK_LINE_UP:
      locks_[record.address].prefers_writers = true;
      locks_[record.address].lined_up.insert(record.thread);
      break;
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE: locks_[record.address].owner = record.thread; break;
    case HEDDLE_MUTEX_UNLOCK:
      if (record.value == 0) locks_[record.address].depth = 1;
      give(locks_[record.address], record.thread);
      break;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD: locks_[record.address].readers.insert(record.thread); break;
    case HEDDLE_RWLOCK_UNLOCK: {
      Lock& lock = locks_[record.address];
      const auto reader = lock.readers.find(record.thread);
      if (lock.owner == record.thread) {
        lock.owner = kNobody;
      } else if (reader != lock.readers.end()) {
        lock.readers.erase(reader);
      }
      break;
    }
    case HEDDLE_COND_WAIT:
      give(locks_[record.value], record.thread);
      waiting_[record.address].insert(record.thread);
      woken_.erase(record.thread);
      break;
    case HEDDLE_COND_RESUME:
      if (!(record.flags & HEDDLE_FLAG_FAILED)) take(locks_[record.value], record.thread);
      waiting_[record.address].erase(record.thread);
      break;
    case HEDDLE_AWAIT: woken_.erase(record.thread); break;
    case HEDDLE_BARRIER_INIT: barriers_[record.address] = {record.value, {}, {}}; break;
    case HEDDLE_BARRIER_ARRIVE: {
      Barrier& barrier = barriers_[record.address];
      barrier.arrived.insert(record.thread);
      if (barrier.arrived.size() < barrier.count) break;
      barrier.leaving.insert(barrier.arrived.begin(), barrier.arrived.end());
      barrier.arrived.clear();
      break;
    }
    case HEDDLE_BARRIER_LEAVE: barriers_[record.address].leaving.erase(record.thread); break;
    case HEDDLE_SEM_INIT: semaphores_[record.address] = record.value; break;
    case HEDDLE_SEM_POST: ++semaphores_.try_emplace(record.address, record.value - 1).first->second; break;
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT: --semaphores_.try_emplace(record.address, record.value + 1).first->second; break;
    case HEDDLE_ONCE_ENTER:
      if (record.value) initialisations_[record.address].runner = record.thread;
      break;
    case HEDDLE_MUTEX_INIT:
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_INIT: locks_.erase(record.address); break;
    default: break;
  }
}

void WitnessMachine::take(Lock& lock, uint32_t thread) {
  lock.depth = lock.owner == thread ? lock.depth + 1 : 1;
  lock.owner = thread;
}

// Also by a thread that does not hold it: a misuse.
void WitnessMachine::give(Lock& lock, uint32_t thread) {
  if (lock.owner == thread && lock.depth > 1) {
    --lock.depth;
  } else {
    lock = {.readers = lock.readers};
  }
}

// The plan says whom a signal wakes; before it, the trace does.
void WitnessMachine::signal(const HeddleRecord& record) {
  std::set<uint32_t>& waiting = waiting_[record.address];
  if (record.kind == HEDDLE_COND_BROADCAST) {
    woken_.insert(waiting.begin(), waiting.end());
    waiting.clear();
  } else if (is_history_ && record.value) {
    wake(static_cast<uint32_t>(record.value - 1));
  }
}

}  // namespace heddle::predict
