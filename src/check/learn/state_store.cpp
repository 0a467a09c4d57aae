// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::check::learn {

namespace {

constexpr uint8_t kLarge = UINT8_MAX;
constexpr uint32_t kWide = 1;  // large words have four bytes; beside twice the length of the row

uint32_t weight_of(size_t place) {
  uint64_t number = (place + 1) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return static_cast<uint32_t>(number >> 32) | 1;
}

// The sum of all words, each times the weight of its place: words that are 0 add nothing, and no product has to
// wait for another one.
uint32_t hash_of(const uint32_t* words, const uint32_t* weights, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += uint64_t{weights[i]} * words[i];
  return static_cast<uint32_t>(sum * 0x9e3779b97f4a7c15 >> 32);
}

}  // namespace

StateStore::StateStore(uint64_t most_bytes) : most_bytes_(most_bytes), table_(1024) {}

void StateStore::clear() {
  pieces_.clear();
  used_ = 1;
  table_.assign(1024, {});
  count_ = 0;
}

void StateStore::ignore(const std::vector<uint8_t>& ignored) {
  ignored_ = ignored;
  const size_t count = weights_.size();
  weights_.clear();
  cares_.clear();
  know_places(count);
}

void StateStore::know_places(size_t count) {
  for (size_t i = weights_.size(); i < count; ++i) {
    const bool counts = i >= ignored_.size() || !ignored_[i];
    weights_.push_back(counts ? weight_of(i) : 0);
    cares_.push_back(counts ? UINT32_MAX : 0);
  }
}

template <typename Large>
bool StateStore::are_alike(const uint8_t* row, const State& state, size_t length) const {
  const size_t known = get<uint32_t>(row) / 2;
  const uint8_t* small = row + kHead;
  const uint8_t* large = small + known;
  const uint32_t* cares = cares_.data();
  uint32_t differences = 0;
  for (size_t i = 0; i < known; ++i) {
    uint32_t word = small[i];
    if (word == kLarge) {
      word = get<Large>(large);
      large += sizeof(Large);
    }
    differences |= (word ^ (i < length ? state[i] : 0)) & cares[i];
  }
  for (size_t i = known; i < length; ++i) differences |= state[i] & cares[i];
  return !differences;
}

StateStore::Sought StateStore::find(const State& state) {
  size_t length = state.size();
  if (weights_.size() < length) know_places(length);
  while (length > 0 && state[length - 1] == 0) --length;
  const uint32_t hash = hash_of(state.data(), weights_.data(), length);
  const auto is_alike = [&](uint32_t place) {
    const uint8_t* known = row(place);
    return get<uint32_t>(known) & kWide ? are_alike<uint32_t>(known, state, length) : are_alike<uint16_t>(known, state, length);
  };
  const size_t mask = table_.size() - 1;
  for (size_t at = hash & mask; table_[at].place; at = (at + 1) & mask)
    if (table_[at].hash == hash && is_alike(table_[at].place))
      return {table_[at].place, hash, static_cast<uint32_t>(length)};
  return {0, hash, static_cast<uint32_t>(length)};
}

StateStore::Id StateStore::add(const State& state, const Sought& sought) {
  const size_t length = sought.length;
  uint32_t bits = 0;
  size_t larges = 0;
  for (size_t i = 0; i < length; ++i) {
    bits |= state[i];
    larges += state[i] >= kLarge;
  }
  const bool is_wide = bits > UINT16_MAX;
  const size_t size = kHead + length + larges * (is_wide ? sizeof(uint32_t) : sizeof(uint16_t));
  HEDDLE_CHECK(size < kPiece, "a state fits into a piece of memory");
  if (used_ % kPiece + size > kPiece) used_ = (used_ / kPiece + 1) * kPiece;
  if (used_ / kPiece >= pieces_.size()) pieces_.push_back(std::make_unique_for_overwrite<uint8_t[]>(kPiece));
  const uint32_t place = static_cast<uint32_t>(used_);
  uint8_t* fresh = &pieces_[place / kPiece][place % kPiece];
  put(fresh, static_cast<uint32_t>(2 * length) | (is_wide ? kWide : 0));
  put(fresh + kMaskAt, uint64_t{0});
  uint8_t* large = fresh + kHead + length;
  for (size_t i = 0; i < length; ++i) {
    const bool is_large = state[i] >= kLarge;
    fresh[kHead + i] = is_large ? kLarge : static_cast<uint8_t>(state[i]);
    if (!is_large) continue;
    if (is_wide) {
      put(large, state[i]);
    } else {
      put(large, static_cast<uint16_t>(state[i]));
    }
    large += is_wide ? sizeof(uint32_t) : sizeof(uint16_t);
  }
  used_ += size;
  size_t at = sought.hash & (table_.size() - 1);
  while (table_[at].place) at = (at + 1) & (table_.size() - 1);
  table_[at] = {sought.hash, place};
  if (++count_ * 4 > table_.size() * 3) grow();
  return place;
}

void StateStore::read(Id id, State& state) const {
  const uint8_t* known = row(id);
  const uint32_t head = get<uint32_t>(known);
  const size_t length = head / 2;
  const uint8_t* small = known + kHead;
  const uint8_t* large = small + length;
  for (size_t i = 0; i < length; ++i) {
    if (small[i] != kLarge) {
      state[i] = small[i];
    } else if (head & kWide) {
      state[i] = get<uint32_t>(large);
      large += sizeof(uint32_t);
    } else {
      state[i] = get<uint16_t>(large);
      large += sizeof(uint16_t);
    }
  }
  std::fill(state.begin() + static_cast<ptrdiff_t>(length), state.end(), 0);
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
