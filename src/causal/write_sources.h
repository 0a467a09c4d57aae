// SPDX-License-Identifier: Apache-2.0
//
// Which writes of an execution could each read take its value from, in some
// other order? Accesses may overlap in part: a read is cut into segments such
// that every write covers a segment whole or not at all, and each segment has
// its sources. Sources that no order allows (the read is before them in every
// order, or they are overwritten before it in every order) are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "causal/execution.h"
#include "causal/must_order.h"

namespace heddle::causal {

struct Source {
  EventId write;
  uint64_t value = 0;  // of the segment
};

struct Segment {
  uint64_t address = 0;
  uint32_t size = 0;
  std::vector<Source> sources;
  bool initial_possible = true;
  std::optional<uint64_t> initial;  // what memory held at first, if known
};

// A piece of memory of at most 8 bytes and what it holds.
struct Piece {
  uint64_t address = 0;
  uint32_t size = 0;
  uint64_t value = 0;
};
std::vector<Piece> pieces_read(const HeddleRecord& operation);
std::vector<Piece> pieces_written(const HeddleRecord& operation);

// Bytes [address, address + size) of a piece, which lie in it.
inline uint64_t slice(const Piece& piece, uint64_t address, uint32_t size) {
  const uint64_t shifted = piece.value >> (8 * (address - piece.address));
  return size >= 8 ? shifted : shifted & ((uint64_t{1} << (8 * size)) - 1);
}

class WriteSources {
 public:
  WriteSources(const Execution& execution, const MustOrder& must_order);

  // In the order of addresses; empty if the operation reads no memory.
  std::vector<Segment> segments(EventId read) const;

 private:
  struct Write {
    EventId event;
    Piece piece;
  };
  void add_visible(EventId read, uint64_t word, uint64_t first, uint64_t end, std::vector<uint32_t>& visible) const;
  void add_segments(EventId read, const Piece& piece, std::vector<Segment>& segments) const;

  const Execution& execution_;
  const MustOrder& must_order_;
  std::vector<Write> writes_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_word_;  // address / 8: places in writes_
};

}  // namespace heddle::causal
