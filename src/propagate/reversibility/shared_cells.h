// SPDX-License-Identifier: Apache-2.0
//
// Which memory do several threads use? Most accesses of a program go to memory
// of their own thread; this finds the rest in one pass, so that only they cost
// more.
//
// Memory is cut into cells of eight aligned bytes, and the cells that at least
// two threads touch, one of them writing, into locations: ranges of bytes that
// every access has either whole or not at all. So what is kept about memory is
// kept per location, not per byte, and exactly.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle::propagate {

class SharedCells {
 public:
  // Object births and ends count as writes; cells of locks and the like are kept
  // whoever uses them.
  explicit SharedCells(const trace::Trace& trace);

  uint32_t cells() const { return static_cast<uint32_t>(cells_.size()); }
  uint32_t locations() const { return locations_; }
  uint32_t first_location(uint32_t cell) const { return cells_[cell].first_location; }
  uint32_t end_location(uint32_t cell) const {
    return cells_[cell].first_location + static_cast<uint32_t>(std::popcount(cells_[cell].starts));
  }

  // The shared cells, as [begin, end), that have bytes of this range.
  std::pair<uint32_t, uint32_t> cells_in(uint64_t address, uint64_t size) const;
  // kNoCell where `address` is in no shared cell.
  static constexpr uint32_t kNoCell = ~0u;
  uint32_t cell_at(uint64_t address) const;

  // Calls visit(location, cell, address, size) for each location of the range.
  template <typename Visit>
  void for_each_location(uint64_t address, uint64_t size, Visit visit) const {
    for (uint64_t at = address; at < address + size;) {
      const uint64_t next_cell = (at / kCellSize + 1) * kCellSize;
      const uint64_t end = next_cell < address + size ? next_cell : address + size;
      const uint32_t cell = cell_at(at);
      if (cell != kNoCell) visit_cell(cell, at, end, visit);
      at = end;
    }
  }

 private:
  static constexpr uint64_t kCellSize = 8;
  struct Cell {
    uint64_t word = 0;  // address / 8
    uint32_t user = HEDDLE_NO_THREAD;
    uint32_t first_location = 0;
    uint8_t starts = 1;  // bit i: a location begins at byte i
    bool is_shared = false;
    bool is_written = false;
  };

  template <typename Visit>
  void visit_cell(uint32_t cell, uint64_t begin, uint64_t end, Visit visit) const {
    const uint64_t base = cells_[cell].word * kCellSize;
    const uint32_t starts = cells_[cell].starts;
    uint32_t location = cells_[cell].first_location - 1;
    for (uint32_t byte = 0; byte < kCellSize && base + byte < end; ++byte) {
      if (!(starts >> byte & 1)) continue;
      ++location;
      if (base + byte < begin) continue;
      const uint32_t above = (starts & ~((2u << byte) - 1)) | 1u << kCellSize;
      visit(location, cell, base + byte, static_cast<uint32_t>(std::countr_zero(above)) - byte);
    }
  }

  Cell& cell_of(uint64_t word);
  uint32_t* slot_of(uint64_t word);
  const uint32_t* slot_of(uint64_t word) const { return const_cast<SharedCells*>(this)->slot_of(word); }
  void rebuild_slots(size_t slots);
  static void touch(Cell& cell, uint32_t thread, bool writes);
  void touch_range(uint64_t address, uint64_t size, uint32_t thread, bool writes);
  void touch_objects(const trace::Trace& trace);
  void keep_shared();

  std::vector<Cell> cells_;      // sorted by address once complete
  std::vector<uint32_t> slots_;  // open hash table: 1 + number of the cell, 0: free
  uint32_t locations_ = 0;
};

// Whether a visible event is a lock, barrier or once operation, whose address
// names what threads meet at.
bool is_meeting(uint8_t kind);

}  // namespace heddle::propagate
