// SPDX-License-Identifier: Apache-2.0
//
// Memory of a window, as questions about values see it: who writes where, which
// allocation a place belongs to, and what was there when the window began.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/event.h"
#include "causal/execution.h"
#include "causal/memory_image.h"

namespace heddle::predict {

using causal::EventId;

class RecipeMemory {
 public:
  // `before` is what is known of memory when the window begins; it must outlive this.
  explicit RecipeMemory(const causal::MemoryImage& before) : before_(before) {}

  // Every event of the window, in the order of the trace: the first one at a place may tell what was there.
  void learn(const HeddleRecord& record);
  // Of these the operations that can be used.
  void add(const HeddleRecord& record);

  struct Write {
    EventId event;
    uint64_t address = 0;
    unsigned size = 0;
    bool covers(uint64_t place, unsigned bytes) const { return address <= place && place + bytes <= address + size; }
    bool overlaps(uint64_t place, unsigned bytes) const { return address < place + bytes && place < address + size; }
  };
  // Writes to any of these bytes, in the order of the trace.
  std::vector<Write> writes(uint64_t address, unsigned size) const;
  // What these bytes held when the window began, if that is known.
  std::optional<uint64_t> initial(uint64_t address, unsigned size) const;
  // The allocation, in the window, of the block that the address is in.
  std::optional<EventId> allocation(uint64_t address) const;

 private:
  const causal::MemoryImage& before_;
  std::unordered_map<uint64_t, std::vector<Write>> writes_;       // by word of 8 bytes
  std::map<uint64_t, std::pair<uint64_t, EventId>> blocks_;       // by address: size, allocation
  std::unordered_map<uint64_t, std::optional<uint8_t>> initial_;  // bytes, as far as the window itself tells
};

}  // namespace heddle::predict
