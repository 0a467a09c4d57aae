// SPDX-License-Identifier: Apache-2.0
#include "causal/histories.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::causal {

bool teaches(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDREAD:
    case HEDDLE_RWLOCK_TIMEDWRITE:
    case HEDDLE_BARRIER_LEAVE:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT:
    case HEDDLE_SEM_GETVALUE:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_AWAIT:
    case HEDDLE_NONDET:
    case HEDDLE_SIGNAL_WAIT: return true;
    // Of a plain condition wait the outcome is always the same.
    case HEDDLE_COND_LEAVE: return true;
    case HEDDLE_AWAIT_RESUME: return (operation.flags & (HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS)) != 0;
    default: return false;
  }
}

Lesson lesson_of(const HeddleRecord& operation) {
  constexpr uint8_t kOutcome = HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS | HEDDLE_FLAG_SERIAL;
  switch (operation.kind) {
    case HEDDLE_LOAD: return {operation.value, operation.size > 8 ? operation.value2 : 0};
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_NONDET:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_SIGNAL_WAIT:
    case HEDDLE_SEM_GETVALUE: return {operation.value, 0};
    case HEDDLE_AWAIT: return {0, operation.flags & HEDDLE_FLAG_FAILED ? 1u : 0u};
    default: return {0, static_cast<uint64_t>(operation.flags & kOutcome)};
  }
}

namespace {

constexpr HistoryId kNoHistory = ~0u;  // the parent of all roots

}  // namespace

HistoryId Histories::root(ThreadId thread) { return after(kNoHistory, {thread, 0}); }

HistoryId Histories::after(HistoryId history, const Lesson& lesson) {
  const Key key{history, lesson};
  if (const uint64_t known = children_.find(key); known != Table::kNone) return static_cast<HistoryId>(known);
  return static_cast<HistoryId>(children_.update(key, [&](uint64_t number) -> uint64_t {
    if (number != Table::kNone) return number;
    const uint32_t shard = static_cast<uint32_t>(Table::shard_of(key));
    const uint32_t place = counts_[shard].value++;
    HEDDLE_CHECK(place < kNoHistory / kShards - 1, "there are numbers for all histories");
    return place * kShards + shard;
  }));
}

std::vector<Histories::Entry> Histories::entries() {
  std::vector<Entry> entries;
  children_.for_each(
      [&](const Key& key, uint64_t id) { entries.push_back({key.history, static_cast<HistoryId>(id), key.lesson}); });
  return entries;
}

bool Histories::insert(const Entry& entry) {
  const Key key{entry.parent, entry.lesson};
  const size_t shard = Table::shard_of(key);
  if (entry.id % kShards != shard || entry.id / kShards >= kNoHistory / kShards - 1) return false;
  counts_[shard].value = std::max(counts_[shard].value, entry.id / kShards + 1);
  bool is_new = false;
  children_.update(key, [&](uint64_t number) -> uint64_t {
    is_new = number == Table::kNone;
    return is_new ? entry.id : number;
  });
  return is_new;
}

}  // namespace heddle::causal
