// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::check::learn {

namespace {

constexpr uint32_t kWide = 1;  // words of the row are whole ones

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

// A row of halves, or of whole words.
struct Halves {
  const uint16_t* first;
  uint32_t operator[](size_t i) const { return first[i]; }
};
struct Wholes {
  const uint16_t* first;
  uint32_t operator[](size_t i) const { return first[2 * i] | uint32_t{first[2 * i + 1]} << 16; }
};

template <typename Row>
bool are_equal(const Row& row, const uint32_t* words, const uint32_t* cares, size_t count) {
  uint32_t differences = 0;
  for (size_t i = 0; i < count; ++i) differences |= (row[i] ^ words[i]) & cares[i];
  return !differences;
}

template <typename Row>
bool are_nothing(const Row& row, const uint32_t* cares, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    if (row[i] & cares[i]) return false;
  return true;
}

}  // namespace

StateStore::StateStore() : table_(1024) {}

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

bool StateStore::are_alike(const uint16_t* row, const State& state, size_t length) const {
  const uint32_t head = word(row);
  const size_t known = head / 2, common = std::min(known, length);
  const uint32_t* cares = cares_.data();
  if (!are_nothing(state, cares, common, length)) return false;
  const auto alike = [&](const auto& words) {
    return are_equal(words, state.data(), cares, common) && are_nothing(words, cares, common, known);
  };
  return head & kWide ? alike(Wholes{row + kHead}) : alike(Halves{row + kHead});
}

StateStore::Sought StateStore::find(const State& state) {
  size_t length = state.size();
  if (weights_.size() < length) know_places(length);
  while (length > 0 && state[length - 1] == 0) --length;
  const uint32_t hash = hash_of(state.data(), weights_.data(), length);
  const size_t mask = table_.size() - 1;
  for (size_t at = hash & mask; table_[at].place; at = (at + 1) & mask)
    if (table_[at].hash == hash && are_alike(row(table_[at].place), state, length))
      return {table_[at].place, hash, static_cast<uint32_t>(length)};
  return {0, hash, static_cast<uint32_t>(length)};
}

StateStore::Id StateStore::add(const State& state, const Sought& sought) {
  const size_t length = sought.length;
  uint32_t bits = 0;
  for (size_t i = 0; i < length; ++i) bits |= state[i];
  const bool is_wide = bits > UINT16_MAX;
  const size_t size = kHead + (is_wide ? 2 * length : length);
  HEDDLE_CHECK(size < kPiece, "a state fits into a piece of memory");
  if (used_ % kPiece + size > kPiece) used_ = (used_ / kPiece + 1) * kPiece;
  if (used_ / kPiece >= pieces_.size()) pieces_.push_back(std::make_unique_for_overwrite<uint16_t[]>(kPiece));
  const uint32_t place = static_cast<uint32_t>(used_);
  uint16_t* fresh = &pieces_[place / kPiece][place % kPiece];
  set_word(fresh, static_cast<uint32_t>(2 * length) | (is_wide ? kWide : 0));
  std::fill_n(fresh + 2, kHead - 2, 0);
  fresh += kHead;
  if (is_wide) {
    for (size_t i = 0; i < length; ++i) set_word(fresh + 2 * i, state[i]);
  } else {
    for (size_t i = 0; i < length; ++i) fresh[i] = static_cast<uint16_t>(state[i]);
  }
  used_ += size;
  size_t at = sought.hash & (table_.size() - 1);
  while (table_[at].place) at = (at + 1) & (table_.size() - 1);
  table_[at] = {sought.hash, place};
  if (++count_ * 4 > table_.size() * 3) grow();
  return place;
}

void StateStore::read(Id id, State& state) const {
  const uint16_t* known = row(id);
  const size_t length = word(known) / 2;
  if (word(known) & kWide) {
    for (size_t i = 0; i < length; ++i) state[i] = word(known + kHead + 2 * i);
  } else {
    for (size_t i = 0; i < length; ++i) state[i] = known[kHead + i];
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
