// SPDX-License-Identifier: Apache-2.0
#include "causal/histories.h"

#include <algorithm>

#include "base/check.h"
#include "semantics/meaning.h"

namespace heddle::causal {

namespace {

// Flags that tell the thread something. Why a wait for a condition ended, COND_LEAVE has told it.
uint64_t outcome_of(const HeddleRecord& operation) {
  const uint8_t told = operation.kind == HEDDLE_COND_RESUME ? HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS : 0;
  return operation.flags & HEDDLE_OUTCOME_FLAGS & ~told;
}

bool says_how_many_woke(const HeddleRecord& operation) {
  return operation.kind == HEDDLE_NOTIFY && (operation.flags & HEDDLE_FLAG_LEARNED);
}

}  // namespace

bool teaches(const HeddleRecord& operation) {
  switch (semantics::learns_of(operation)) {
    case HEDDLE_LEARNS_NOTHING: return says_how_many_woke(operation);
    case HEDDLE_LEARNS_EXCEPTION: return outcome_of(operation) != 0;
    default: return true;
  }
}

Lesson lesson_of(const HeddleRecord& operation) {
  if (semantics::learns_of(operation) != HEDDLE_LEARNS_VALUE && !says_how_many_woke(operation))
    return {0, outcome_of(operation)};
  const bool is_wide = operation.kind == HEDDLE_LOAD && operation.size > 8;
  return {operation.value, is_wide ? operation.value2 : 0};
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
