// SPDX-License-Identifier: Apache-2.0
//
// The program's heap, as runtime/heap.h has it and as far as it makes a difference:
// which blocks were released, and with --heap=reuse who gets which of them again.
//
// A thread's first block may be of 16 bytes or of 4096, as it has read; then what
// follows lies elsewhere. Blocks that were seen to overlap, in whatever executions,
// are one *region*, and have one slot of the state. What a region holds has a number:
//
//   0          nothing that matters
//   kReleased  its only block was released
//   others     where it may have different ones, or where memory is used again (it is *tracked*): a
//              row of blocks, each with its size, who allocated it, and whether it was released
//
// With --heap=reuse, released blocks of one size, in units of 16 bytes, are a list with
// a slot and numbers of its own; an allocation gets the last one. Regions that nobody was seen to
// release anything of have no slot.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "check/learn/automata.h"
#include "check/learn/layout.h"

namespace heddle::check::learn {

// Rows with a number each; the empty one has 0.
template <typename Item>
class NumberedRows {
 public:
  using Row = std::vector<Item>;
  NumberedRows() { number({}); }
  const Row& operator[](uint32_t number) const { return *rows_[number]; }
  uint32_t number(const Row& row) {
    const auto [place, is_new] = numbers_.try_emplace(row, static_cast<uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(&place->first);
    return place->second;
  }

 private:
  std::map<Row, uint32_t> numbers_;
  std::vector<const Row*> rows_;
};

struct HeapBlock {
  uint64_t start = 0, size = 0;
  uint8_t allocator = 0;
  bool is_released = false;
  auto operator<=>(const HeapBlock&) const = default;
};

class HeapBlocks {
 public:
  static constexpr uint32_t kReleased = 1;

  // `reuses`: released memory is given out again.
  explicit HeapBlocks(bool reuses) : reuses_(reuses) { blocks_.number({HeapBlock()}); }
  bool reuses() const { return reuses_; }

  // How long a block of this size is, in units of 16 bytes.
  static uint64_t granules(uint64_t size) { return size ? (size + kGranule - 1) / kGranule : 1; }

  struct Region {
    uint64_t end = 0;
    uint32_t slot = 0;
    bool is_tracked = false;
    bool is_released = false;                                   // somebody was seen to release a block of it
    std::vector<HeapBlock> seen;                                // blocks that were allocated there
    std::vector<PointId> users;                                 // points that access it, or release a block of it
    std::vector<PointId> givers;                                // allocations that returned a block of it
    std::vector<std::pair<uint64_t, uint32_t>> words, objects;  // address and slot
  };
  // Null: there is none.
  Region* find(uint64_t address);
  const Region* find(uint64_t address) const { return const_cast<HeapBlocks*>(this)->find(address); }
  // A block was seen to be allocated; one that begins there was seen to be released. The result: the region is another
  // one than before, and settle() has to be called.
  bool add_block(const HeapBlock& block);
  bool add_release(uint64_t start);
  // Gives slots to those that need them. True: states that were explored before are not what they seemed.
  bool settle(Region& region, Layout& layout);
  bool is_tracked(uint32_t slot) const { return slot < tracked_.size() && tracked_[slot]; }

  // Released blocks of this length; 0: nobody was seen to release one.
  uint32_t list_slot(uint64_t granules) const;
  // Allocations of this length.
  std::vector<PointId>& allocations(uint64_t granules) { return allocations_[granules]; }
  const std::vector<uint64_t>& list(uint32_t number) const { return lists_[number]; }
  uint32_t with_released(uint32_t list, uint64_t start);
  uint32_t without_last(uint32_t list);

  // Of what a tracked region holds: the block that begins there or is the last one before; null: none.
  const HeapBlock* block_at(uint32_t number, uint64_t address) const;
  uint32_t with_block(uint32_t number, const HeapBlock& block);

  // At a point where nobody has seen anything but failures: how it failed when its region held that; 0: not known.
  void note_failure(PointId point, uint32_t number, uint64_t failure) {
    failures_.try_emplace({point, number}, failure);
  }
  uint64_t failure(PointId point, uint32_t number) const {
    const auto found = failures_.find({point, number});
    return found == failures_.end() ? 0 : found->second;
  }

 private:
  static constexpr uint64_t kGranule = 16;

  const bool reuses_;
  std::map<uint64_t, Region> regions_;  // by address
  std::vector<bool> tracked_;           // by slot
  std::map<uint64_t, uint32_t> list_slots_;
  std::map<uint64_t, std::vector<PointId>> allocations_;
  NumberedRows<HeapBlock> blocks_;
  NumberedRows<uint64_t> lists_;
  std::map<std::pair<PointId, uint32_t>, uint64_t> failures_;
};

}  // namespace heddle::check::learn
