// SPDX-License-Identifier: Apache-2.0
//
// Locks in the graph: sections from acquire to release, the outermost only. A
// free run does not say how deep a recursive mutex is held, so it is counted.
#include "propagate/reversibility/sync_graph.h"
#include "semantics/meaning.h"
#include "trace/kinds.h"

namespace heddle::propagate {

void SyncGraph::take(uint32_t event, const HeddleRecord& record, uint64_t lock, bool is_shared) {
  auto& held = held_[record.thread];
  if (const auto again = held.find(lock); again != held.end()) {
    ++again->second.depth;
    return;
  }
  const Name name = name_of(record, lock);
  const auto [number, is_new] = lock_numbers_.try_emplace(name, static_cast<uint32_t>(locks_.size()));
  if (is_new) locks_.emplace_back();
  auto& sections = locks_[number->second];
  held[lock] = {number->second, static_cast<uint32_t>(sections.size()), 1};
  sections.push_back({add_node(event), kNone, is_shared});
  lock_users_[number->second].insert(record.thread);
}

void SyncGraph::give_up(uint32_t event, const HeddleRecord& record, uint64_t lock) {
  auto& held = held_[record.thread];
  const auto found = held.find(lock);
  if (found == held.end()) return refuse(record, "a lock is released by a thread that does not hold it");
  if (--found->second.depth > 0) return;
  locks_[found->second.lock][found->second.section].release = add_node(event);
  held.erase(found);
}

void SyncGraph::visit_lock(uint32_t event, const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  if (effect == HEDDLE_EFFECT_RELEASE && trace::succeeded(record)) return give_up(event, record, record.address);
  if (!semantics::takes_lock(record.kind)) return;
  // A lock that waits is refused only by the lock itself (it checks for errors): the same in every run.
  if (trace::succeeded(record)) take(event, record, record.address, effect == HEDDLE_EFFECT_SHARE);
  if (semantics::may_block(record.kind)) return;
  const auto [number, is_new] =
      lock_numbers_.try_emplace(name_of(record, record.address), static_cast<uint32_t>(locks_.size()));
  if (is_new) locks_.emplace_back();
  tried_[number->second].insert(record.thread);
  lock_users_[number->second].insert(record.thread);
}

// A wait gives its mutex up once, whatever the depth, and takes it back once.
void SyncGraph::visit_condition(uint32_t event, const HeddleRecord& record) {
  const HeddleEffect effect = semantics::effect_of(record);
  if (effect != HEDDLE_EFFECT_WAIT && effect != HEDDLE_EFFECT_RESUME) return;
  if (record.flags & HEDDLE_FLAG_TIMED)
    refuse(record, "a timed wait for a condition: whether it runs out is not fixed");
  if (semantics::takes_mutex_back(record.kind, record.flags)) take(event, record, record.value, false);
  if (effect == HEDDLE_EFFECT_WAIT && !semantics::gave_up(record)) give_up(event, record, record.value);
}

}  // namespace heddle::propagate
