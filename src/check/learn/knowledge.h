// SPDX-License-Identifier: Apache-2.0
//
// Sets of accesses, each with a number; the empty one has 0. A set says which
// accesses somebody knows to have happened: a thread, or whoever gets a lock or
// reads a message. What sets come to is worked out once and then looked up.
//
// Rows of such numbers (one for each byte of a word, or for each store that
// waits in a buffer) have numbers too; zeros at the end of a row do not count.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "check/learn/memo.h"

namespace heddle::check::learn {

class Knowledge {
 public:
  using Row = std::vector<uint32_t>;

  Knowledge() { clear(0); }
  // Forgets all; sets are of the numbers below `size` from now on.
  void clear(uint32_t size);

  bool has(uint32_t set, uint32_t member) const { return (*sets_[set])[member / 64] >> (member % 64) & 1; }
  uint32_t joined(uint32_t one, uint32_t other);
  uint32_t with(uint32_t set, uint32_t member);
  uint32_t without(uint32_t set, uint32_t member);
  // What is in `more` and not in `set`.
  std::vector<uint32_t> members_added(uint32_t set, uint32_t more) const;

  const Row& row(uint32_t number) const { return *rows_[number]; }
  uint32_t at(uint32_t number, size_t place) const { return place < row(number).size() ? row(number)[place] : 0; }
  uint32_t row_number(Row row);
  uint32_t row_without(uint32_t number, uint32_t member);

 private:
  using Set = std::vector<uint64_t>;
  uint32_t number_of(const Set& set);

  size_t words_ = 0;  // of a set
  std::map<Set, uint32_t> set_numbers_;
  std::vector<const Set*> sets_;
  std::map<Row, uint32_t> row_numbers_;
  std::vector<const Row*> rows_;
  Memo joins_, additions_, removals_, row_removals_;
};

}  // namespace heddle::check::learn
