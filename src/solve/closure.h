// SPDX-License-Identifier: Apache-2.0
//
// Which events are certainly before which: the transitive closure of a growing
// set of edges. Every event has a row of bits for the events after it and one
// for those before it; an event counts as being in its own rows. Up to 64 events
// a row is a single word, so set operations on rows are what makes saturation
// fast; 5,000 events take 6 MB. Memory is kept from one problem to the next.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "solve/order_problem.h"

namespace heddle::solve {

using Word = uint64_t;
inline constexpr uint32_t kWordBits = 64;

inline bool has_bit(const Word* row, uint32_t bit) { return row[bit / kWordBits] >> (bit % kWordBits) & 1; }
inline void set_bit(Word* row, uint32_t bit) { row[bit / kWordBits] |= Word{1} << (bit % kWordBits); }
inline void clear_bit(Word* row, uint32_t bit) { row[bit / kWordBits] &= ~(Word{1} << (bit % kWordBits)); }

// Calls visit(bit) for each bit of the word that is number `index` of its row.
template <typename Visit>
void for_each_bit_of(Word word, uint32_t index, Visit visit) {
  for (; word != 0; word &= word - 1) visit(index * kWordBits + static_cast<uint32_t>(std::countr_zero(word)));
}

// Calls visit(bit) for each bit of the row that is set when its word is reached.
template <typename Visit>
void for_each_bit(const Word* row, uint32_t words, Visit visit) {
  for (uint32_t i = 0; i < words; ++i) for_each_bit_of(row[i], i, visit);
}

class Closure {
 public:
  // Forgets everything and starts with these edges. False if they form a cycle;
  // then nothing else may be asked.
  bool reset(uint32_t events, std::span<const Edge> edges);

  // Adds an edge, unless it follows already. False if `after` is before `before`;
  // then nothing has changed.
  bool add(Event before, Event after);

  // For different events.
  bool before(Event first, Event second) const { return has_bit(after_row(first), second); }

  const Word* after_row(Event event) const { return &after_[size_t{event} * words_]; }
  const Word* before_row(Event event) const { return &before_[size_t{event} * words_]; }
  uint32_t words() const { return words_; }
  uint32_t events() const { return events_; }

  // The edges given and those added, without those that followed when added.
  std::span<const Edge> edges() const { return edges_; }

 private:
  uint32_t events_ = 0, words_ = 0;
  std::vector<Word> after_, before_;
  std::vector<Edge> edges_;
  // For reset: edges by their first event, and events with all before them done.
  std::vector<uint32_t> first_edge_, waiting_for_;
  std::vector<Event> targets_, done_;
};

}  // namespace heddle::solve
