// SPDX-License-Identifier: Apache-2.0
//
// The states that were met, each once. Rows are kept without the zeros at their
// end, one after another in large pieces of memory; most words are small and take a
// byte. Words that make no difference are kept as 0, so that there is one spelling of
// a state, and states are compared by their spellings: two that differ are never taken
// for one. A table of (part of the hash, place) finds them. With each state goes a mask
// that its owner may change: which steps need not be taken from there (product_search.h).
//
// A row is its length (4 bytes), the mask (8), a byte for each word, kLarge for those that do
// not fit, and then these: 2 bytes each, or 4 if one of them needs more.
//
// The hash comes from a sum over all words. Who follows a state from change to change
// need not add it up again each time (moved).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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
  // The sum after the changes, of places that sum_of() has seen.
  Sum moved(Sum sum, std::span<const State::Change> changes) const {
    for (const State::Change& change : changes) sum += weights_[change.slot] * (Sum{change.after} - change.before);
    return sum;
  }

  // `sum`: of the row.
  Sought find(const Row& row, Sum sum);
  Sought find(const Row& row) { return find(row, sum_of(row)); }
  // A state that is not there, as find() said; none was added since.
  Id add(const Row& row, const Sought& sought);
  // The id, and whether the state is new.
  std::pair<Id, bool> add(const Row& row) {
    const Sought sought = find(row);
    return sought.id ? std::pair(sought.id, false) : std::pair(add(row, sought), true);
  }
  // Fills `row`, which keeps its length.
  void read(Id id, Row& row) const;

  // 0 at first.
  uint64_t mask(Id id) const { return get<uint64_t>(row(id) + kMaskAt); }
  void set_mask(Id id, uint64_t mask) { put(&pieces_[id / kPiece][id % kPiece] + kMaskAt, mask); }

  uint64_t size() const { return count_; }
  uint64_t bytes() const { return used_ + table_.size() * sizeof(Entry); }
  // True: no more states of so many words can be kept.
  bool is_full(size_t words) const { return bytes() > most_bytes_ || 5 * words + kHead >= kPiece; }
  void clear();

 private:
  static constexpr size_t kPiece = size_t{1} << 21;  // bytes: room for as many words as states may have
  static constexpr size_t kMaskAt = 4, kHead = 12;   // in a row
  struct Entry {
    uint32_t hash = 0;
    uint32_t place = 0;  // 0: free
  };
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
  const uint8_t* row(uint32_t place) const { return &pieces_[place / kPiece][place % kPiece]; }
  Spelled spell(const Row& row);
  bool is_spelled_so(const uint8_t* words, const Spelled& spelled) const;
  template <typename Large>
  size_t spell_large(const Row& row, size_t length);
  void know_places(size_t count);
  void grow();

  uint64_t most_bytes_;
  std::vector<uint8_t> ignored_;
  std::vector<uint64_t> weights_;  // by place; 0: ignored
  std::vector<uint32_t> cares_;    // by place: all bits, or none if it is ignored
  std::vector<uint8_t> spelling_;
  std::vector<std::unique_ptr<uint8_t[]>> pieces_;
  size_t used_ = 1;  // bytes; place 0 stands for "free"
  std::vector<Entry> table_;
  uint64_t count_ = 0;
};

}  // namespace heddle::check::learn
