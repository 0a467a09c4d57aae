// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::check::learn {

namespace {

constexpr size_t kSmallestTable = 1024;
constexpr uint8_t kLarge = UINT8_MAX;

uint64_t weight_of(size_t place) {
  uint64_t number = (place + 1) * 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number >> 32 | 1;
}

// Whether one of the eight bytes is kLarge.
bool has_large(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;
  return (~bytes - kOnes) & bytes & kTops;
}

// A byte for each word that counts, kLarge for those that do not fit; all of these words, or-ed.
[[gnu::always_inline]] inline uint32_t narrow_words(const uint32_t* words, const uint32_t* cares, uint8_t* bytes,
                                                    size_t count) {
  uint32_t all = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t word = words[i] & cares[i];
    all |= word;
    bytes[i] = static_cast<uint8_t>(word < kLarge ? word : kLarge);
  }
  return all;
}

[[gnu::target("avx2")]] uint32_t narrow_eight_at_once(const uint32_t* words, const uint32_t* cares, uint8_t* bytes,
                                                      size_t count) {
  return narrow_words(words, cares, bytes, count);
}

// Rows are long and most of what is done with them is this, so processors that can take eight words at once do. (Not
// with target_clones: the loader calls its resolver before ThreadSanitizer is ready, and the process crashes.)
uint32_t narrow(const uint32_t* words, const uint32_t* cares, uint8_t* bytes, size_t count) {
  return __builtin_cpu_supports("avx2") ? narrow_eight_at_once(words, cares, bytes, count)
                                        : narrow_words(words, cares, bytes, count);
}

}  // namespace

StateStore::StateStore(uint64_t most_bytes) : most_bytes_(most_bytes) { make_table(kSmallestTable); }

// Memory is kept: what begins anew mostly becomes as large again.
void StateStore::clear() {
  used_ = 1;
  if (count_ > 0) std::fill_n(table_.get(), table_size_, Entry());
  count_ = 0;
}

void StateStore::make_table(size_t size) {
  table_ = large_memory<Entry>(size);
  table_size_ = size;
  std::fill_n(table_.get(), size, Entry());
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
  // Words are spelled in groups of eight; each may take five bytes.
  if (const size_t most = 5 * ((count + 7) & ~size_t{7}); spelling_.size() < most) spelling_.resize(most);
}

// All words, each times the weight of its place: words that are 0 add nothing.
StateStore::Sum StateStore::sum_of(const Row& row) {
  know(row.size());
  Sum sum = 0;
  for (size_t i = 0; i < row.size(); ++i) sum += weights_[i] * row[i];
  return sum;
}

// Appends the words that are kLarge in the spelling.
template <typename Large>
size_t StateStore::spell_large(const Row& row, size_t length) {
  uint8_t* large = spelling_.data() + length;
  for (size_t i = 0; i < length; i += 8) {
    if (!has_large(get<uint64_t>(spelling_.data() + i))) continue;
    for (size_t k = i; k < std::min(i + 8, length); ++k) {
      if (spelling_[k] != kLarge) continue;
      put(large, static_cast<Large>(row[k]));
      large += sizeof(Large);
    }
  }
  return static_cast<size_t>(large - spelling_.data());
}

StateStore::Spelled StateStore::spell(const Row& row) {
  uint8_t* const bytes = spelling_.data();
  size_t length = row.size();
  const uint32_t all = narrow(row.data(), cares_.data(), bytes, length);
  while (length > 0 && bytes[length - 1] == 0) --length;
  const bool is_wide = all > UINT16_MAX;
  const uint32_t head = static_cast<uint32_t>(kFlags * length) | (is_wide ? kWide : 0);
  if (all < kLarge) return {head, length};
  return {head, is_wide ? spell_large<uint32_t>(row, length) : spell_large<uint16_t>(row, length)};
}

// Of a row of the same length. How many bytes there are follows from the small ones.
bool StateStore::is_spelled_so(const uint8_t* words, const Spelled& spelled) const {
  const size_t length = spelled.head / kFlags;
  return std::memcmp(words, spelling_.data(), length) == 0 &&
         (length == spelled.size || std::memcmp(words + length, spelling_.data() + length, spelled.size - length) == 0);
}

StateStore::Sought StateStore::find(const Row& wanted, Sum sum) {
  const uint32_t hash = hash_of(sum);
  const size_t mask = table_size_ - 1;
  Spelled spelled = {0, 0};
  bool is_spelled = false;
  for (size_t at = hash & mask; table_[at].place; at = (at + 1) & mask) {
    if (table_[at].hash != hash) continue;
    if (!is_spelled) spelled = spell(wanted), is_spelled = true;
    const uint8_t* const known = row(table_[at].place);
    if ((get<uint32_t>(known) & ~kMasked) == spelled.head && is_spelled_so(words_of(known), spelled))
      return {table_[at].place, hash};
  }
  return {0, hash};
}

StateStore::Id StateStore::add(const Row& wanted, const Sought& sought, bool has_mask) {
  const Spelled spelled = spell(wanted);
  const size_t size = kMaskAt + (has_mask ? kMaskSize : 0) + spelled.size;
  HEDDLE_CHECK(size < kPiece, "a state fits into a piece of memory");
  if (used_ % kPiece + size > kPiece) used_ = (used_ / kPiece + 1) * kPiece;
  // Most of the first piece may stay unused, and a large page is cleared as a whole.
  if (used_ / kPiece >= pieces_.size())
    pieces_.push_back(large_memory<uint8_t>(kPiece, pieces_.empty() ? SIZE_MAX : 0));
  const uint32_t place = static_cast<uint32_t>(used_);
  uint8_t* const fresh = &pieces_[place / kPiece][place % kPiece];
  put(fresh, spelled.head | (has_mask ? kMasked : 0));
  if (has_mask) put(fresh + kMaskAt, uint64_t{0});
  std::copy_n(spelling_.data(), spelled.size, fresh + (size - spelled.size));
  used_ += size;
  size_t at = sought.hash & (table_size_ - 1);
  while (table_[at].place) at = (at + 1) & (table_size_ - 1);
  table_[at] = {sought.hash, place};
  if (++count_ * 4 > table_size_ * 3) grow();
  return place;
}

void StateStore::read(Id id, Row& filled) const {
  const uint8_t* known = row(id);
  const uint32_t head = get<uint32_t>(known);
  const size_t length = head / kFlags;
  const uint8_t* small = words_of(known);
  const uint8_t* large = small + length;
  for (size_t i = 0; i < length; ++i) {
    if (small[i] != kLarge) {
      filled[i] = small[i];
    } else if (head & kWide) {
      filled[i] = get<uint32_t>(large);
      large += sizeof(uint32_t);
    } else {
      filled[i] = get<uint16_t>(large);
      large += sizeof(uint16_t);
    }
  }
  std::fill(filled.begin() + static_cast<ptrdiff_t>(length), filled.end(), 0);
}

void StateStore::grow() {
  const LargeMemory<Entry> old = std::move(table_);
  const size_t old_size = table_size_;
  make_table(2 * old_size);
  for (size_t i = 0; i < old_size; ++i) {
    const Entry entry = old[i];
    if (!entry.place) continue;
    size_t at = entry.hash & (table_size_ - 1);
    while (table_[at].place) at = (at + 1) & (table_size_ - 1);
    table_[at] = entry;
  }
}

}  // namespace heddle::check::learn
