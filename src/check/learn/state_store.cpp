// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::check::learn {

namespace {

bool counts(size_t place, const std::vector<uint8_t>& ignored) { return place >= ignored.size() || !ignored[place]; }

uint64_t scrambled(uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

// The sum of all words, each times the number of its place: words that are 0 add
// nothing, and no product has to wait for another one.
uint32_t StateStore::hash_of(const uint32_t* words, size_t count, const std::vector<uint8_t>& ignored) {
  while (factors_.size() < count) factors_.push_back(scrambled(factors_.size()));
  const size_t doubtful = std::min(count, ignored.size());
  uint64_t hash = 0;
  for (size_t i = 0; i < doubtful; ++i) hash += factors_[i] * (ignored[i] ? 0 : words[i]);
  for (size_t i = doubtful; i < count; ++i) hash += factors_[i] * words[i];
  return static_cast<uint32_t>(hash >> 32);
}

StateStore::StateStore(uint64_t most_bytes) : most_bytes_(most_bytes), table_(1024) {}

void StateStore::clear() {
  pieces_.clear();
  used_ = 1;
  table_.assign(1024, {});
  count_ = 0;
}

bool StateStore::are_alike(const uint32_t* row, const State& state, size_t length, const std::vector<uint8_t>& ignored) {
  const size_t common = std::min<size_t>(row[0], length);
  for (size_t i = 0; i < common; ++i)
    if (row[kHead + i] != state[i] && counts(i, ignored)) return false;
  for (size_t i = common; i < row[0]; ++i)
    if (row[kHead + i] && counts(i, ignored)) return false;
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
  HEDDLE_CHECK(length + kHead < kPiece, "a state fits into a piece of memory");
  if (used_ % kPiece + length + kHead > kPiece) used_ = (used_ / kPiece + 1) * kPiece;
  if (used_ / kPiece >= pieces_.size()) pieces_.push_back(std::make_unique_for_overwrite<uint32_t[]>(kPiece));
  const uint32_t place = static_cast<uint32_t>(used_);
  uint32_t* fresh = &pieces_[place / kPiece][place % kPiece];
  fresh[0] = static_cast<uint32_t>(length);
  fresh[1] = fresh[2] = 0;
  std::copy_n(state.begin(), length, fresh + kHead);
  used_ += length + kHead;
  table_[at] = {hash, place};
  if (++count_ * 4 > table_.size() * 3) grow();
  return {place, true};
}

void StateStore::read(Id id, State& state) const {
  const uint32_t* known = row(id);
  std::copy_n(known + kHead, known[0], state.begin());
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
