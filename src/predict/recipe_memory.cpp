// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_memory.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::predict {
namespace {

bool is_access(const HeddleRecord& record) { return record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_CAS; }

}  // namespace

// If nothing before the window tells what a byte was, the first access to it does: what it read, or replaced.
void RecipeMemory::learn(const HeddleRecord& record) {
  if (!is_access(record) && record.kind != HEDDLE_EXTERN_WRITE && record.kind != HEDDLE_AWAIT) return;
  const bool reads = causal::reads_memory(record);
  const bool replaces = record.kind == HEDDLE_STORE && (record.flags & HEDDLE_FLAG_REPLACED);
  for (unsigned byte = 0; byte < record.size; ++byte) {
    const bool tells = byte < 8 && (reads || replaces);
    initial_.try_emplace(record.address + byte,
                         tells
                             ? std::optional(static_cast<uint8_t>((reads ? record.value : record.value2) >> (8 * byte)))
                             : std::nullopt);
  }
}

void RecipeMemory::add(const HeddleRecord& record) {
  const EventId event{record.thread, record.index};
  if (record.kind == HEDDLE_ALLOC) blocks_[record.address] = {record.value, event};
  if (!is_access(record) || !causal::writes_memory(record)) return;
  for (uint64_t word = record.address / 8; word <= (record.address + record.size - 1) / 8; ++word)
    writes_[word].push_back({event, record.address, record.size});
}

std::vector<RecipeMemory::Write> RecipeMemory::writes(uint64_t address, unsigned size) const {
  std::vector<Write> result;
  for (uint64_t word = address / 8; word <= (address + size - 1) / 8; ++word) {
    const auto found = writes_.find(word);
    if (found == writes_.end()) continue;
    for (const Write& write : found->second) {
      const auto is_same = [&](const Write& other) { return other.event == write.event; };
      if (write.overlaps(address, size) && std::none_of(result.begin(), result.end(), is_same)) result.push_back(write);
    }
  }
  return result;
}

std::optional<uint64_t> RecipeMemory::initial(uint64_t address, unsigned size) const {
  uint64_t value = 0;
  for (unsigned byte = 0; byte < size; ++byte) {
    std::optional<uint64_t> known = before_.at(address + byte, 1);
    if (!known)
      if (const auto told = initial_.find(address + byte); told != initial_.end()) known = told->second;
    if (!known) return std::nullopt;
    value |= *known << (8 * byte);
  }
  return value;
}

std::optional<EventId> RecipeMemory::allocation(uint64_t address) const {
  auto block = blocks_.upper_bound(address);
  if (block == blocks_.begin()) return std::nullopt;
  --block;
  if (address - block->first >= block->second.first) return std::nullopt;
  return block->second.second;
}

}  // namespace heddle::predict
