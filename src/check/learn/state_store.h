// SPDX-License-Identifier: Apache-2.0
//
// The states that were met, each once. Rows are kept without the zeros at their
// end, one after another in large pieces of memory; most words are small and take a
// byte. Words that make no difference are kept as 0, so that there is one spelling of
// a state, and states are compared by their spellings: two that differ are never taken
// for one. A table of (part of the hash, place) finds them. With each state goes a mask
// that its owner may change, if it says so in the beginning: which steps need not be taken from
// there (product_search.h).
//
// A row is its length (4 bytes), the mask if there is one (8), a byte for each word, kLarge for those
// that do not fit, and then these: 2 bytes each, or 4 if one of them needs more.
//
// The hash comes from a sum over all words. Who follows a state from change to change
// need not add it up again each time (moved).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "check/learn/large_memory.h"
#include "check/learn/state.h"

namespace heddle::check::learn {

class StateStore {
 public:
  using Id = uint32_t;  // stays valid until clear()
  using Sum = uint64_t;
  // What find() came to: the state, or what add() needs to add it.
  struct Sought {
    Id id = 0;  // 0: it is not there
    uint32_t hash = 0;
  };

  static constexpr uint64_t kMostBytes = uint64_t{3} << 30;
  explicit StateStore(uint64_t most_bytes = kMostBytes);

  // From now on, words at these places make no difference. States that are there already are found by those
  // words too that did make one when they were added. All sums are others then.
  void ignore(const std::vector<uint8_t>& ignored);

  Sum sum_of(const Row& row);
  // Rows will have so many words.
  void know(size_t words) {
    if (weights_.size() < words) know_places(words);
  }
  // The sum after the changes, of places that sum_of() or know() has seen.
  Sum moved(Sum sum, std::span<const State::Change> changes) const {
    for (const State::Change& change : changes) sum = moved(sum, change);
    return sum;
  }
  Sum moved(Sum sum, const State::Change& change) const {
    return sum + weights_[change.slot] * (Sum{change.after} - change.before);
  }

  // A state with this sum will be looked for soon.
  void expect(Sum sum) const { __builtin_prefetch(&table_[hash_of(sum) & (table_size_ - 1)]); }
  // `sum`: of the state wanted.
  Sought find(const Row& wanted, Sum sum);
  Sought find(const Row& row) { return find(row, sum_of(row)); }
  // A state that is not there, as find() said; none was added since.
  Id add(const Row& wanted, const Sought& sought, bool has_mask = true);
  // The id, and whether the state is new.
  std::pair<Id, bool> add(const Row& row) {
    const Sought sought = find(row);
    return sought.id ? std::pair(sought.id, false) : std::pair(add(row, sought), true);
  }
  // What is filled keeps its length.
  void read(Id id, Row& filled) const;

  // 0 at first, and where there is none.
  uint64_t mask(Id id) const { return get<uint32_t>(row(id)) & kMasked ? get<uint64_t>(row(id) + kMaskAt) : 0; }
  void set_mask(Id id, uint64_t mask) { put(&pieces_[id / kPiece][id % kPiece] + kMaskAt, mask); }

  uint64_t size() const { return count_; }
  uint64_t bytes() const { return used_ + table_size_ * sizeof(Entry); }
  // True: no more states of so many words can be kept.
  bool is_full(size_t words) const { return bytes() > most_bytes_ || 5 * words + kMaskAt + kMaskSize >= kPiece; }
  void clear();  // keeps its memory

 private:
  static constexpr size_t kPiece = size_t{1} << 21;    // bytes: room for as many words as states may have
  static constexpr size_t kMaskAt = 4, kMaskSize = 8;  // in a row
  // Beside four times the length of the row: large words have four bytes; there is a mask.
  static constexpr uint32_t kWide = 1, kMasked = 2, kFlags = 4;
  struct Entry {
    uint32_t hash = 0;
    uint32_t place = 0;  // 0: free
  };
  static const uint8_t* words_of(const uint8_t* row) {
    return row + kMaskAt + (get<uint32_t>(row) & kMasked ? kMaskSize : 0);
  }
  // A row as it is kept, but for the mask: its words are at spelling_.
  struct Spelled {
    uint32_t head;
    size_t size;
  };

  template <typename Number>
  static Number get(const uint8_t* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof(number));
    return number;
  }
  template <typename Number>
  static void put(uint8_t* bytes, Number number) {
    std::memcpy(bytes, &number, sizeof(number));
  }
  static uint32_t hash_of(Sum sum) { return static_cast<uint32_t>(sum * 0x9e3779b97f4a7c15 >> 32); }
  const uint8_t* row(uint32_t place) const { return &pieces_[place / kPiece][place % kPiece]; }
  Spelled spell(const Row& row);
  bool is_spelled_so(const uint8_t* words, const Spelled& spelled) const;
  template <typename Large>
  size_t spell_large(const Row& row, size_t length);
  void know_places(size_t count);
  void make_table(size_t size);
  void grow();

  uint64_t most_bytes_;
  std::vector<uint8_t> ignored_;
  std::vector<uint64_t> weights_;  // by place; 0: ignored
  std::vector<uint32_t> cares_;    // by place: all bits, or none if it is ignored
  std::vector<uint8_t> spelling_;
  std::vector<LargeMemory<uint8_t>> pieces_;
  size_t used_ = 1;  // bytes; place 0 stands for "free"
  LargeMemory<Entry> table_;
  size_t table_size_ = 0;
  uint64_t count_ = 0;
};

}  // namespace heddle::check::learn
