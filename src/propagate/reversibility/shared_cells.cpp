// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/shared_cells.h"

#include <algorithm>

#include "trace/kinds.h"

namespace heddle::propagate {
namespace {

constexpr size_t kFirstSlots = 1024;

uint64_t mixed(uint64_t word) {
  word *= 0x9e3779b97f4a7c15u;
  return word ^ word >> 29;
}

}  // namespace

bool is_meeting(uint8_t kind) {
  const trace::KindInfo* info = trace::find_kind(kind);
  if (!info) return false;
  using enum trace::Family;
  return info->family == kMutex || info->family == kRwlock || info->family == kBarrier || info->family == kOnce;
}

SharedCells::SharedCells(const trace::Trace& trace) {
  rebuild_slots(kFirstSlots);
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    const bool writes = trace::wrote_memory(record);
    if (writes || trace::read_memory(record)) {
      touch_range(record.address, record.size, record.thread, writes);
    } else if (is_meeting(record.kind)) {
      Cell& cell = cell_of(record.address / kCellSize);
      cell.is_shared = cell.is_written = true;
    } else if (record.kind == HEDDLE_COND_WAIT || record.kind == HEDDLE_COND_RESUME) {
      Cell& cell = cell_of(record.value / kCellSize);
      cell.is_shared = cell.is_written = true;
    }
  }
  std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.word < b.word; });
  touch_objects(trace);
  keep_shared();
}

uint32_t* SharedCells::slot_of(uint64_t word) {
  size_t slot = mixed(word) & (slots_.size() - 1);
  while (slots_[slot] != 0 && cells_[slots_[slot] - 1].word != word) slot = (slot + 1) & (slots_.size() - 1);
  return &slots_[slot];
}

void SharedCells::rebuild_slots(size_t slots) {
  slots_.assign(slots, 0);
  for (uint32_t i = 0; i < cells_.size(); ++i) *slot_of(cells_[i].word) = i + 1;
}

SharedCells::Cell& SharedCells::cell_of(uint64_t word) {
  uint32_t* slot = slot_of(word);
  if (*slot == 0) {
    cells_.push_back({.word = word});
    *slot = static_cast<uint32_t>(cells_.size());
    if (cells_.size() * 2 > slots_.size()) rebuild_slots(slots_.size() * 2);
    return cells_.back();
  }
  return cells_[*slot - 1];
}

void SharedCells::touch(Cell& cell, uint32_t thread, bool writes) {
  cell.is_shared |= cell.user != thread && cell.user != HEDDLE_NO_THREAD;
  cell.user = thread;
  cell.is_written |= writes;
}

void SharedCells::touch_range(uint64_t address, uint64_t size, uint32_t thread, bool writes) {
  const uint64_t end = address + size;
  for (uint64_t at = address; at < end;) {
    Cell& cell = cell_of(at / kCellSize);
    touch(cell, thread, writes);
    cell.starts = static_cast<uint8_t>(cell.starts | 1u << at % kCellSize);
    at = (at / kCellSize + 1) * kCellSize;
    if (at > end) cell.starts = static_cast<uint8_t>(cell.starts | 1u << end % kCellSize);
  }
}

// Only now, when it is known which cells anybody accesses: an object may be large.
void SharedCells::touch_objects(const trace::Trace& trace) {
  std::vector<std::pair<uint64_t, uint64_t>> blocks;  // address, size; of each heap block
  for (const trace::Event& event : trace.events) {
    if (event.record.kind == HEDDLE_ALLOC) blocks.emplace_back(event.record.address, event.record.value);
  }
  std::sort(blocks.begin(), blocks.end());
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    uint64_t size = 0;
    if (record.kind == HEDDLE_ALLOC || record.kind == HEDDLE_STACK_OBJECT || record.kind == HEDDLE_STACK_OBJECT_END) {
      size = record.value;
    } else if (record.kind == HEDDLE_FREE) {  // of whichever block was there: the largest
      const auto after = std::upper_bound(blocks.begin(), blocks.end(), std::pair(record.address, UINT64_MAX));
      if (after == blocks.begin() || after[-1].first != record.address) continue;
      size = after[-1].second;
    } else {
      continue;
    }
    const auto [begin, end] = cells_in(record.address, size);
    for (uint32_t cell = begin; cell < end; ++cell) touch(cells_[cell], record.thread, true);
  }
}

void SharedCells::keep_shared() {
  std::erase_if(cells_, [](const Cell& cell) { return !cell.is_shared || !cell.is_written; });
  for (Cell& cell : cells_) {
    cell.first_location = locations_;
    locations_ += static_cast<uint32_t>(std::popcount(cell.starts));
  }
  rebuild_slots(std::bit_ceil(std::max<size_t>(cells_.size() * 2, 2)));
}

std::pair<uint32_t, uint32_t> SharedCells::cells_in(uint64_t address, uint64_t size) const {
  const auto below = [](const Cell& cell, uint64_t word) { return cell.word < word; };
  const uint64_t last = (address + (size ? size - 1 : 0)) / kCellSize;
  const auto begin = std::lower_bound(cells_.begin(), cells_.end(), address / kCellSize, below);
  const auto end = std::lower_bound(begin, cells_.end(), last + 1, below);
  return {static_cast<uint32_t>(begin - cells_.begin()), static_cast<uint32_t>(end - cells_.begin())};
}

uint32_t SharedCells::cell_at(uint64_t address) const {
  const uint32_t number = *slot_of(address / kCellSize);
  return number == 0 ? kNoCell : number - 1;
}

}  // namespace heddle::propagate
