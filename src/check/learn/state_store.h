// SPDX-License-Identifier: Apache-2.0
//
// The states that were met, each once. Rows are kept without the zeros at their
// end, one after another in large pieces of memory; a table of (part of the
// hash, place) finds them. Rows are compared word by word: two states that
// differ are never taken for one. With each state goes a mask that its owner may
// change: which steps need not be taken from there (product_search.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "check/learn/layout.h"

namespace heddle::check::learn {

class StateStore {
 public:
  using Id = uint32_t;  // stays valid until clear()

  static constexpr uint64_t kMostBytes = uint64_t{3} << 30;
  explicit StateStore(uint64_t most_bytes = kMostBytes);

  // The id, and whether the state is new. Words at `ignored` places make no difference.
  std::pair<Id, bool> add(const State& state, const std::vector<uint8_t>& ignored = {});
  // Fills `state`, which keeps its length.
  void read(Id id, State& state) const;

  // 0 at first.
  uint64_t mask(Id id) const { return row(id)[1] | uint64_t{row(id)[2]} << 32; }
  void set_mask(Id id, uint64_t mask) {
    uint32_t* known = &pieces_[id / kPiece][id % kPiece];
    known[1] = static_cast<uint32_t>(mask);
    known[2] = static_cast<uint32_t>(mask >> 32);
  }

  uint64_t size() const { return count_; }
  uint64_t bytes() const { return used_ * sizeof(uint32_t) + table_.size() * sizeof(Entry); }
  // True: no more states of so many words can be kept.
  bool is_full(size_t words) const { return bytes() > most_bytes_ || words + kHead >= kPiece; }
  void clear();

 private:
  static constexpr size_t kPiece = size_t{1} << 18;  // words
  static constexpr size_t kHead = 3;                 // words before a row: its length, the mask
  struct Entry {
    uint32_t hash = 0;
    uint32_t place = 0;  // 0: free
  };

  const uint32_t* row(uint32_t place) const { return &pieces_[place / kPiece][place % kPiece]; }
  static bool are_alike(const uint32_t* row, const State& state, size_t length, const std::vector<uint8_t>& ignored);
  uint32_t hash_of(const uint32_t* words, size_t count, const std::vector<uint8_t>& ignored);
  void grow();

  uint64_t most_bytes_;
  std::vector<uint64_t> factors_;  // by place
  std::vector<std::unique_ptr<uint32_t[]>> pieces_;
  size_t used_ = 1;  // words; place 0 stands for "free"
  std::vector<Entry> table_;
  uint64_t count_ = 0;
};

}  // namespace heddle::check::learn
