// SPDX-License-Identifier: Apache-2.0
//
// Which writes of an execution could each read take its value from, in some
// other order? Accesses may overlap in part: a read is cut into segments such
// that every write covers a segment whole or not at all, and each segment has
// its sources. Sources that no order allows (the read is before them in every
// order, or they are overwritten before it in every order) are left out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "causal/execution.h"
#include "causal/list_store.h"
#include "causal/must_order.h"

namespace heddle::causal {

struct Source {
  EventId write;
  uint64_t value = 0;  // of the segment
};

struct Segment {
  uint64_t address = 0;
  uint32_t size = 0;
  std::span<const Source> sources;
  bool initial_possible = true;
  std::optional<uint64_t> initial;  // what memory held at first, if known
};

// A piece of memory of at most 8 bytes and what it holds.
struct Piece {
  uint64_t address = 0;
  uint32_t size = 0;
  uint64_t value = 0;
};

// Bytes [address, address + size) of a piece, which lie in it.
inline uint64_t slice(const Piece& piece, uint64_t address, uint32_t size) {
  const uint64_t shifted = piece.value >> (8 * (address - piece.address));
  return size >= 8 ? shifted : shifted & ((uint64_t{1} << (8 * size)) - 1);
}

// At most two, as an operation has at most 16 bytes.
class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(const Piece& only) : pieces_{only, {}}, count_(1) {}
  Pieces(const Piece& first, const Piece& second) : pieces_{first, second}, count_(2) {}
  const Piece* begin() const { return pieces_.data(); }
  const Piece* end() const { return pieces_.data() + count_; }
  size_t size() const { return count_; }
  const Piece& operator[](size_t place) const { return pieces_[place]; }

 private:
  std::array<Piece, 2> pieces_;
  size_t count_ = 0;
};
Pieces pieces_read(const HeddleRecord& operation);
Pieces pieces_written(const HeddleRecord& operation);

class WriteSources {
 public:
  WriteSources(const Execution& execution, const MustOrder& must_order);

  // In the order of addresses; empty if the operation reads no memory. They live as long as the store.
  std::span<const Segment> segments(EventId read, ListStore& store);

 private:
  struct Write {
    EventId event;
    Piece piece;
  };
  struct WriteToWord {
    uint64_t word;   // address / 8
    uint32_t place;  // in writes_
  };
  void add_visible(EventId read, uint64_t word, uint64_t first, uint64_t end);
  void add_segments(EventId read, const Piece& piece, ListStore& store);

  const Execution& execution_;
  const MustOrder& must_order_;
  std::vector<Write> writes_;
  std::vector<WriteToWord> by_word_;  // ascending; of a word by thread, then by index

  // Of the read at hand.
  std::vector<Segment> segments_;
  std::vector<uint32_t> visible_;  // places in writes_
  std::vector<uint64_t> bounds_;
  std::vector<const Write*> covering_, before_;
  std::vector<Source> sources_;
};

}  // namespace heddle::causal
