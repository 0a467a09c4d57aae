// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/object_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::propagate {
namespace {

constexpr uint64_t kLookBack = 200'000;  // segments

std::string with_offset(std::string name, uint64_t offset) {
  return offset ? fmt::format("{}+{}", name, offset) : name;
}

// The local that lay there last, as far as the thread's own past tells.
std::string local_name(const FaultFreeRun& run, uint64_t address, uint32_t lane, uint64_t word) {
  if (lane >= run.lanes()) return "";
  const std::vector<uint64_t>& headers = run.headers(lane);
  auto at = std::upper_bound(headers.begin(), headers.end(), word);
  for (uint64_t looked = 0; at != headers.begin() && looked < kLookBack; ++looked) {
    --at;
    const uint32_t segment = run.segment_at(lane, *at);
    const auto& slots = run.target().code.segments[segment].slots;
    for (uint32_t slot = 0; slot < slots.size(); ++slot) {
      if (!slots[slot].is_local) continue;
      const uint64_t begin = run.value(lane, *at + 1 + slot);
      if (address < begin || address >= begin + std::max<uint64_t>(slots[slot].size, 1)) continue;
      const std::string& variable = run.target().code.words[run.target().code.places[slots[slot].place].variable];
      return with_offset(fmt::format("stack {} {}:{}", run.thread_name(lane), run.function(segment), variable),
                         address - begin);
    }
  }
  return "";
}

}  // namespace

std::string object_name(const FaultFreeRun& run, uint64_t address, uint32_t lane, uint64_t word) {
  for (const trace::Global& global : run.target().globals)
    if (address >= global.address && address < global.address + std::max<uint64_t>(global.size, 1))
      return with_offset("global " + global.name, address - global.address);
  const HeddleComparison& channel = run.server().channel();
  const HeddleBlock* end = channel.block + std::min(channel.known_blocks, HEDDLE_MOST_BLOCKS_KEPT);
  // Sorted by lane and number, and addresses grow with both.
  const HeddleBlock* block =
      std::upper_bound(channel.block, end, address, [](uint64_t a, const HeddleBlock& b) { return a < b.address; });
  if (block != channel.block && address <= (block - 1)->address + (block - 1)->size)
    return with_offset(fmt::format("heap {}#{}", run.thread_name((block - 1)->lane), (block - 1)->number),
                       address - (block - 1)->address);
  for (uint32_t owner = lane, tries = 0; tries < 16 && owner != HEDDLE_NO_LANE; ++tries) {
    if (std::string name = local_name(run, address, owner, owner == lane ? word : ~uint64_t{0} >> 1); !name.empty())
      return name;
    owner = owner < channel.known_lanes ? channel.known[owner].parent : HEDDLE_NO_LANE;
  }
  // Of a thread that the fault-free run does not have, or made by a library.
  if (const uint64_t owner = (address - HEDDLE_FIRST_LANE_ADDRESS) / HEDDLE_LANE_ADDRESSES;
      address >= HEDDLE_FIRST_LANE_ADDRESS && owner < std::max(channel.lanes, channel.known_lanes))
    return with_offset(fmt::format("memory of {}", run.thread_name(static_cast<uint32_t>(owner))),
                       (address - HEDDLE_FIRST_LANE_ADDRESS) % HEDDLE_LANE_ADDRESSES);
  return fmt::format("unknown {:#x}", address);
}

}  // namespace heddle::propagate
