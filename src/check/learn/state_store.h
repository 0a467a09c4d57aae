// SPDX-License-Identifier: Apache-2.0
//
// The states that were met, each once. Rows are kept without the zeros at their
// end, one after another in large pieces of memory; most words are small and take a
// byte. A table of (part of the hash, place) finds them. Rows are compared word
// by word: two states that differ are never taken for one. With each state goes a mask
// that its owner may change: which steps need not be taken from there (product_search.h).
//
// A row is its length (4 bytes), the mask (8), a byte for each word, kLarge for those that do
// not fit, and then these: 2 bytes each, or 4 if one of them needs more.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "check/learn/layout.h"

namespace heddle::check::learn {

class StateStore {
 public:
  using Id = uint32_t;  // stays valid until clear()
  // What find() came to: the state, or what add() needs to add it.
  struct Sought {
    Id id = 0;  // 0: it is not there
    uint32_t hash = 0;
    uint32_t length = 0;
  };

  static constexpr uint64_t kMostBytes = uint64_t{3} << 30;
  explicit StateStore(uint64_t most_bytes = kMostBytes);

  // From now on, words at these places make no difference. States that are there already are found by those
  // words too that did make one when they were added.
  void ignore(const std::vector<uint8_t>& ignored);

  Sought find(const State& state);
  // A state that is not there, as find() said; none was added since.
  Id add(const State& state, const Sought& sought);
  // The id, and whether the state is new.
  std::pair<Id, bool> add(const State& state) {
    const Sought sought = find(state);
    return sought.id ? std::pair(sought.id, false) : std::pair(add(state, sought), true);
  }
  // Fills `state`, which keeps its length.
  void read(Id id, State& state) const;

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
  template <typename Large>
  bool are_alike(const uint8_t* row, const State& state, size_t length) const;
  void know_places(size_t count);
  void grow();

  uint64_t most_bytes_;
  std::vector<uint8_t> ignored_;
  std::vector<uint32_t> weights_;  // by place; 0: ignored
  std::vector<uint32_t> cares_;    // by place: all bits, or none if it is ignored
  std::vector<std::unique_ptr<uint8_t[]>> pieces_;
  size_t used_ = 1;  // bytes; place 0 stands for "free"
  std::vector<Entry> table_;
  uint64_t count_ = 0;
};

}  // namespace heddle::check::learn
