// SPDX-License-Identifier: Apache-2.0
#include "check/learn/heap_blocks.h"

#include <algorithm>

namespace heddle::check::learn {

namespace {

template <typename Item>
void append(std::vector<Item>& to, const std::vector<Item>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

HeapBlocks::Region* HeapBlocks::find(uint64_t address) {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return nullptr;
  Region& region = std::prev(after)->second;
  return address < region.end ? &region : nullptr;
}

bool HeapBlocks::add_block(const HeapBlock& block) {
  const Region* known = find(block.start);
  if (known && std::find(known->seen.begin(), known->seen.end(), block) != known->seen.end()) return false;
  uint64_t begin = block.start;
  Region whole;
  whole.end = block.start + granules(block.size) * kGranule;
  for (auto at = regions_.begin(); at != regions_.end() && at->first < whole.end;) {
    Region& other = at->second;
    if (other.end <= begin) {
      ++at;
      continue;
    }
    begin = std::min(begin, at->first);
    whole.end = std::max(whole.end, other.end);
    if (!whole.slot) whole.slot = other.slot;
    whole.is_tracked |= other.is_tracked;
    whole.is_released |= other.is_released;
    append(whole.seen, other.seen);
    append(whole.users, other.users);
    append(whole.givers, other.givers);
    append(whole.words, other.words);
    append(whole.objects, other.objects);
    at = regions_.erase(at);
  }
  whole.seen.push_back(block);
  regions_[begin] = std::move(whole);
  return true;
}

bool HeapBlocks::add_release(uint64_t start) {
  Region* region = find(start);
  if (!region || region->is_released) return false;
  return region->is_released = true;
}

bool HeapBlocks::settle(Region& region, Layout& layout) {
  if (!region.is_released) return false;
  // States in which blocks were allocated say nothing of them so far.
  const bool is_tracked = reuses_ || region.seen.size() > 1;
  const bool corrects = is_tracked && !region.givers.empty();
  if (!region.slot) region.slot = layout.slot(Space::kBlock, region.seen.front().start);
  region.is_tracked = is_tracked;
  if (tracked_.size() <= region.slot) tracked_.resize(region.slot + 1);
  tracked_[region.slot] = is_tracked;
  if (reuses_)
    for (const HeapBlock& block : region.seen)
      list_slots_[granules(block.size)] = layout.slot(Space::kReleased, granules(block.size));
  return corrects;
}

uint32_t HeapBlocks::list_slot(uint64_t granules) const {
  const auto found = list_slots_.find(granules);
  return found == list_slots_.end() ? 0 : found->second;
}

uint32_t HeapBlocks::with_released(uint32_t list, uint64_t start) {
  std::vector<uint64_t> starts = lists_[list];
  starts.push_back(start);
  return lists_.number(starts);
}

uint32_t HeapBlocks::without_last(uint32_t list) {
  std::vector<uint64_t> starts = lists_[list];
  starts.pop_back();
  return lists_.number(starts);
}

const HeapBlock* HeapBlocks::block_at(uint32_t number, uint64_t address) const {
  const HeapBlock* found = nullptr;
  for (const HeapBlock& block : blocks_[number])
    if (block.start <= address) found = &block;
  return found;
}

uint32_t HeapBlocks::with_block(uint32_t number, const HeapBlock& block) {
  std::vector<HeapBlock> row = blocks_[number];
  const auto place =
      std::find_if(row.begin(), row.end(), [&](const HeapBlock& known) { return known.start >= block.start; });
  if (place != row.end() && place->start == block.start) {
    *place = block;
  } else {
    row.insert(place, block);
  }
  return blocks_.number(row);
}

}  // namespace heddle::check::learn
