// SPDX-License-Identifier: Apache-2.0
#include "reproduce/lasting_effects.h"

#include <algorithm>

namespace heddle::reproduce {

void LastingEffects::take(const HeddleRecord& record, uint64_t lock, uint8_t kind) {
  HeddleRecord taken = record;
  taken.kind = kind;
  taken.address = lock;
  held_[{record.thread, lock}].push_back(taken);
}

void LastingEffects::give_back(uint32_t thread, uint64_t lock) {
  const auto held = held_.find({thread, lock});
  if (held == held_.end()) return;
  held->second.pop_back();
  if (held->second.empty()) held_.erase(held);
}

void LastingEffects::use_barrier(const HeddleRecord& record) {
  Barrier& barrier = barriers_[record.address];
  if (record.kind == HEDDLE_BARRIER_INIT) {
    barrier = {record, {}, 0};
    return;
  }
  barrier.round.push_back(record);
  barrier.inside += record.kind == HEDDLE_BARRIER_ARRIVE ? 1 : -1;
  if (barrier.inside == 0) barrier.round.clear();
}

void LastingEffects::perform(const HeddleRecord& record) {
  if (record.kind == HEDDLE_COND_LEAVE) waits_.erase(record.thread);
  if (record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT)) return;
  switch (record.kind) {
    case HEDDLE_THREAD_CREATE: created_.push_back(record); break;
    case HEDDLE_THREAD_END: ended_.insert(record.thread); break;
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: take(record, record.address, HEDDLE_MUTEX_LOCK); break;
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE: take(record, record.address, HEDDLE_RWLOCK_WRITE); break;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD: take(record, record.address, HEDDLE_RWLOCK_READ); break;
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK: give_back(record.thread, record.address); break;
    case HEDDLE_COND_WAIT:
      give_back(record.thread, record.value);
      waits_[record.thread] = {record, {}, false, wait_count_++};
      break;
    case HEDDLE_COND_RESUME:
      waits_.erase(record.thread);
      take(record, record.value, HEDDLE_MUTEX_LOCK);
      break;
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_COND_BROADCAST:
      for (auto& [thread, wait] : waits_) {
        const bool wakes = record.kind == HEDDLE_COND_BROADCAST || record.value == uint64_t{thread} + 1;
        if (!wakes || wait.is_woken || wait.wait.address != record.address) continue;
        wait.is_woken = true;
        wait.signal = record;
        wait.signal.kind = HEDDLE_COND_SIGNAL;
      }
      break;
    case HEDDLE_SEM_INIT: semaphores_[record.address] = record; break;
    case HEDDLE_SEM_POST:
      if (const auto semaphore = semaphores_.find(record.address); semaphore != semaphores_.end())
        ++semaphore->second.value;
      break;
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
      if (const auto semaphore = semaphores_.find(record.address); semaphore != semaphores_.end())
        --semaphore->second.value;
      break;
    case HEDDLE_BARRIER_INIT:
    case HEDDLE_BARRIER_ARRIVE:
    case HEDDLE_BARRIER_LEAVE: use_barrier(record); break;
    default: break;
  }
}

std::vector<HeddleRecord> LastingEffects::asleep() const {
  std::vector<std::pair<uint64_t, HeddleRecord>> waits;
  for (const auto& [thread, wait] : waits_)
    if (!wait.is_woken) waits.push_back({wait.number, wait.wait});
  std::sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<HeddleRecord> result;
  for (const auto& [number, wait] : waits) result.push_back(wait);
  return result;
}

// Each signal right behind the wait that it ended, and before those that it passed by. Threads come first, with
// those that made them, as far as there is anything left of them.
std::vector<HeddleRecord> LastingEffects::operations() const {
  std::vector<HeddleRecord> rest;
  const auto by_first = [](HeddleRecord record) {  // whoever made it
    record.thread = 0;
    return record;
  };
  for (const auto& [address, made] : semaphores_) rest.push_back(by_first(made));
  for (const auto& [address, barrier] : barriers_) {
    rest.push_back(by_first(barrier.made));
    rest.insert(rest.end(), barrier.round.begin(), barrier.round.end());
  }
  for (const auto& [thread, wait] : waits_)
    if (wait.is_woken) rest.insert(rest.end(), {wait.wait, wait.signal});
  for (const HeddleRecord& wait : asleep()) rest.push_back(wait);
  for (const auto& [key, taken] : held_) rest.insert(rest.end(), taken.begin(), taken.end());

  std::set<uint64_t> needed;
  for (const HeddleRecord& record : rest) needed.insert(record.thread);
  std::vector<HeddleRecord> result;
  for (auto created = created_.rbegin(); created != created_.rend(); ++created) {
    if (ended_.contains(created->value) && !needed.contains(created->value)) continue;
    needed.insert(created->thread);
    result.push_back(*created);
  }
  std::reverse(result.begin(), result.end());
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

}  // namespace heddle::reproduce
