// SPDX-License-Identifier: Apache-2.0
#include "reproduce/lasting_effects.h"

#include <algorithm>

#include "semantics/meaning.h"

namespace heddle::reproduce {

void LastingEffects::take(const HeddleRecord& record, uint64_t lock, HeddleKind kind) {
  HeddleRecord taken = record;
  taken.kind = static_cast<uint8_t>(kind);
  taken.flags = 0;
  taken.address = lock;
  held_[{record.thread, lock}].push_back(taken);
}

// Whoever holds it, if it is not the thread itself.
void LastingEffects::give_back(uint32_t thread, uint64_t lock) {
  auto held = held_.find({thread, lock});
  if (held == held_.end())
    held = std::find_if(held_.begin(), held_.end(), [&](const auto& entry) { return entry.first.second == lock; });
  if (held == held_.end()) return;
  held->second.pop_back();
  if (held->second.empty()) held_.erase(held);
}

void LastingEffects::perform(const HeddleRecord& record) {
  switch (semantics::family_of(record)) {
    case HEDDLE_FAMILY_THREAD:
      if (semantics::gave_up(record)) return;
      if (semantics::effect_of(record) == HEDDLE_EFFECT_CREATE) created_.push_back(record);
      if (semantics::effect_of(record) == HEDDLE_EFFECT_END) ended_.insert(record.thread);
      return;
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: return use_lock(record);
    case HEDDLE_FAMILY_CONDITION:
    case HEDDLE_FAMILY_WORD: return use_queue(record);
    case HEDDLE_FAMILY_SEMAPHORE: return use_semaphore(record);
    case HEDDLE_FAMILY_BARRIER: return use_barrier(record);
    case HEDDLE_FAMILY_ONCE: return use_once(record);
    default: return;
  }
}

void LastingEffects::use_lock(const HeddleRecord& record) {
  const bool is_mutex = semantics::family_of(record) == HEDDLE_FAMILY_MUTEX;
  if (semantics::effect_of(record) == HEDDLE_EFFECT_LINE_UP) {
    lined_up_[record.thread] = record;
  } else if (semantics::effect_of(record) == HEDDLE_EFFECT_ACQUIRE) {
    lined_up_.erase(record.thread);
  }
  if (semantics::gave_up(record)) return;
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_ACQUIRE: return take(record, record.address, is_mutex ? HEDDLE_MUTEX_LOCK : HEDDLE_RWLOCK_WRITE);
    case HEDDLE_EFFECT_SHARE: return take(record, record.address, HEDDLE_RWLOCK_READ);
    case HEDDLE_EFFECT_RELEASE: return give_back(record.thread, record.address);
    default: return;
  }
}

void LastingEffects::use_queue(const HeddleRecord& record) {
  const bool has_mutex = semantics::family_of(record) == HEDDLE_FAMILY_CONDITION;
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_WAIT:
      if (semantics::gave_up(record)) return;
      if (has_mutex) give_back(record.thread, record.value);
      waits_[record.thread] = {record, {}, false, wait_count_++};
      return;
    case HEDDLE_EFFECT_LEAVE: waits_.erase(record.thread); return;
    case HEDDLE_EFFECT_RESUME:
      waits_.erase(record.thread);
      if (semantics::takes_mutex_back(record.kind, record.flags)) take(record, record.value, HEDDLE_MUTEX_LOCK);
      return;
    case HEDDLE_EFFECT_WAKE: break;
    default: return;
  }
  last_wake_ = record;
  if (!has_mutex || semantics::gave_up(record)) return;
  const bool wakes_all = semantics::most_woken(record) == semantics::kAllWaiters;
  for (const auto& [thread, wait] : waits_)
    if (wait.wait.address == record.address && (wakes_all || record.value == uint64_t{thread} + 1))
      wake(thread, record);
}

void LastingEffects::wake(uint32_t thread, const HeddleRecord& waker) {
  const auto wait = waits_.find(thread);
  if (wait == waits_.end() || wait->second.is_woken) return;
  wait->second.is_woken = true;
  wait->second.signal = waker;
  wait->second.signal.value2 = 1;  // of a NOTIFY: how many at most
  if (semantics::family_of(waker) == HEDDLE_FAMILY_CONDITION) wait->second.signal.kind = HEDDLE_COND_SIGNAL;
}

void LastingEffects::use_semaphore(const HeddleRecord& record) {
  if (semantics::gave_up(record)) return;
  const HeddleEffect effect = semantics::effect_of(record);
  if (effect == HEDDLE_EFFECT_INIT) semaphores_[record.address] = record;
  const auto semaphore = semaphores_.find(record.address);
  if (semaphore == semaphores_.end()) return;
  if (effect == HEDDLE_EFFECT_POST) ++semaphore->second.value;
  if (effect == HEDDLE_EFFECT_TAKE) --semaphore->second.value;
}

void LastingEffects::use_barrier(const HeddleRecord& record) {
  Barrier& barrier = barriers_[record.address];
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_INIT: barrier = {record, {}, 0}; return;
    case HEDDLE_EFFECT_ARRIVE: ++barrier.inside; break;
    case HEDDLE_EFFECT_DEPART: --barrier.inside; break;
    default: return;
  }
  barrier.round.push_back(record);
  if (barrier.inside == 0) barrier.round.clear();
}

void LastingEffects::use_once(const HeddleRecord& record) {
  std::vector<HeddleRecord>& uses = onces_[record.address];
  if (semantics::effect_of(record) == HEDDLE_EFFECT_INIT) return uses.clear();
  const bool enters = semantics::effect_of(record) == HEDDLE_EFFECT_ENTER;
  if (enters ? record.value != 0 : !semantics::gave_up(record)) uses.push_back(record);
  if (!enters && semantics::gave_up(record)) uses.clear();
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
  for (const auto& [address, uses] : onces_)
    for (const HeddleRecord& use : uses) rest.push_back(uses.size() > 1 ? by_first(use) : use);
  for (const auto& [thread, wait] : waits_)
    if (wait.is_woken) rest.insert(rest.end(), {wait.wait, wait.signal});
  for (const HeddleRecord& wait : asleep()) rest.push_back(wait);
  for (const auto& [key, taken] : held_) rest.insert(rest.end(), taken.begin(), taken.end());
  for (const auto& [thread, line_up] : lined_up_) rest.push_back(line_up);

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
