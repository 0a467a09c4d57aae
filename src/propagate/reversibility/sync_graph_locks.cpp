// SPDX-License-Identifier: Apache-2.0
//
// Locks in the graph: sections from acquire to release, the outermost only. A
// free run does not say how deep a recursive mutex is held, so it is counted.
#include "propagate/reversibility/sync_graph.h"
#include "trace/kinds.h"

namespace heddle::propagate {

void SyncGraph::take(uint32_t event, const HeddleRecord& record, uint64_t lock, bool is_shared, uint32_t depth) {
  auto& held = held_[record.thread];
  if (const auto again = held.find(lock); again != held.end()) {
    ++again->second.depth;
    return;
  }
  const Name name = name_of(record, lock);
  const auto [number, is_new] = lock_numbers_.try_emplace(name, static_cast<uint32_t>(locks_.size()));
  if (is_new) locks_.emplace_back();
  auto& sections = locks_[number->second];
  held[lock] = {number->second, static_cast<uint32_t>(sections.size()), depth};
  sections.push_back({add_node(event), kNone, is_shared});
  lock_users_[number->second].insert(record.thread);
}

// Returns how often it was held.
uint32_t SyncGraph::give_up(uint32_t event, const HeddleRecord& record, uint64_t lock, bool entirely) {
  auto& held = held_[record.thread];
  const auto found = held.find(lock);
  if (found == held.end()) {
    refuse(record, "a lock is released by a thread that does not hold it");
    return 0;
  }
  const uint32_t depth = found->second.depth;
  if (!entirely && --found->second.depth > 0) return depth;
  locks_[found->second.lock][found->second.section].release = add_node(event);
  held.erase(found);
  return depth;
}

void SyncGraph::visit_lock(uint32_t event, const HeddleRecord& record) {
  bool is_try = false, is_shared = false;
  switch (record.kind) {
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK:
      if (trace::succeeded(record)) give_up(event, record, record.address, false);
      return;
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE: is_try = true; break;
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD: is_try = is_shared = true; break;
    case HEDDLE_RWLOCK_READ: is_shared = true; break;
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_RWLOCK_WRITE: break;
    default: return;
  }
  if (trace::succeeded(record)) {
    take(event, record, record.address, is_shared);
  } else if (!is_try) {
    return;  // refused by the lock itself (it checks for errors): the same in every run
  }
  if (!is_try) return;
  const auto [number, is_new] =
      lock_numbers_.try_emplace(name_of(record, record.address), static_cast<uint32_t>(locks_.size()));
  if (is_new) locks_.emplace_back();
  tried_[number->second].insert(record.thread);
  lock_users_[number->second].insert(record.thread);
}

void SyncGraph::visit_condition(uint32_t event, const HeddleRecord& record) {
  if (record.flags & HEDDLE_FLAG_TIMED)
    refuse(record, "a timed wait for a condition: whether it runs out is not fixed");
  if (record.kind == HEDDLE_COND_WAIT) {
    waiting_depth_[record.thread] = give_up(event, record, record.value, true);
  } else {
    take(event, record, record.value, false, std::max(waiting_depth_[record.thread], 1u));
  }
}

}  // namespace heddle::propagate
