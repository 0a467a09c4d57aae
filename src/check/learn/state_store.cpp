// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::check::learn {

namespace {

bool counts(size_t place, const std::vector<uint8_t>& ignored) { return place >= ignored.size() || !ignored[place]; }

uint32_t hash_of(const uint32_t* words, size_t count, const std::vector<uint8_t>& ignored) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i < count; ++i) {
    if (!words[i] || !counts(i, ignored)) continue;
    hash += i;
    hash = (hash ^ words[i]) * 0x9fb21c651e98df25;
    hash ^= hash >> 32;
  }
  return static_cast<uint32_t>(hash);
}

}  // namespace

StateStore::StateStore() : table_(1024) {}

void StateStore::clear() {
  pieces_.clear();
  used_ = 1;
  table_.assign(1024, {});
  count_ = 0;
}

bool StateStore::are_alike(const uint32_t* row, const State& state, size_t length, const std::vector<uint8_t>& ignored) {
  const size_t common = std::min<size_t>(row[0], length);
  for (size_t i = 0; i < common; ++i)
    if (row[1 + i] != state[i] && counts(i, ignored)) return false;
  for (size_t i = common; i < row[0]; ++i)
    if (row[1 + i] && counts(i, ignored)) return false;
  for (size_t i = common; i < length; ++i)
    if (state[i] && counts(i, ignored)) return false;
  return true;
}

std::pair<StateStore::Id, bool> StateStore::add(const State& state, const std::vector<uint8_t>& ignored) {
  size_t length = state.size();
  while (length > 0 && state[length - 1] == 0) --length;
  const uint32_t hash = hash_of(state.data(), length, ignored);
  size_t at = hash & (table_.size() - 1);
  for (; table_[at].place; at = (at + 1) & (table_.size() - 1)) {
    if (table_[at].hash != hash) continue;
    if (are_alike(row(table_[at].place), state, length, ignored)) return {table_[at].place, false};
  }
  HEDDLE_CHECK(length + 1 < kPiece, "a state fits into a piece of memory");
  if (used_ % kPiece + length + 1 > kPiece) used_ = (used_ / kPiece + 1) * kPiece;
  if (used_ / kPiece >= pieces_.size()) pieces_.push_back(std::make_unique_for_overwrite<uint32_t[]>(kPiece));
  const uint32_t place = static_cast<uint32_t>(used_);
  uint32_t* fresh = &pieces_[place / kPiece][place % kPiece];
  fresh[0] = static_cast<uint32_t>(length);
  std::copy_n(state.begin(), length, fresh + 1);
  used_ += length + 1;
  table_[at] = {hash, place};
  if (++count_ * 4 > table_.size() * 3) grow();
  return {place, true};
}

void StateStore::read(Id id, State& state) const {
  const uint32_t* known = row(id);
  std::copy_n(known + 1, known[0], state.begin());
  std::fill(state.begin() + known[0], state.end(), 0);
}

void StateStore::grow() {
  std::vector<Entry> old(table_.size() * 2);
  old.swap(table_);
  for (const Entry& entry : old) {
    if (!entry.place) continue;
    size_t at = entry.hash & (table_.size() - 1);
    while (table_[at].place) at = (at + 1) & (table_.size() - 1);
    table_[at] = entry;
  }
}

}  // namespace heddle::check::learn
