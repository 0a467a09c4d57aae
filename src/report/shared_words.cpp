// SPDX-License-Identifier: Apache-2.0
#include "report/shared_words.h"

#include <algorithm>
#include <string_view>

#include "trace/kinds.h"

namespace heddle::report {
namespace {

// std::thread, and the model of what it calls.
constexpr std::string_view kThreadStart[] = {"/bits/std_thread.h", "heddle/models/threads.cpp"};

template <typename Visit>
void for_each_word(const HeddleRecord& record, Visit visit) {
  const uint64_t last = record.address + (record.size ? record.size - 1u : 0u);
  for (uint64_t word = record.address / 8; word <= last / 8; ++word) visit(word);
}

}  // namespace

bool accesses_memory(const HeddleRecord& record) {
  return trace::read_memory(record) || trace::wrote_memory(record) || record.kind == HEDDLE_FLUSH;
}

SharedWords::SharedWords(const trace::Trace& trace) : trace_(trace) {
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind == HEDDLE_ALLOC) blocks_[record.address] = {record.value};
    const bool is_access = accesses_memory(record);
    if (!is_access && record.kind != HEDDLE_FREE) continue;
    if (!is_thread_start(record)) {
      if (is_access) note_access(record);
    } else if (Block* block = block_around(record.address)) {
      block->starts_thread = true;
    }
  }
}

bool SharedWords::touched_by(const HeddleRecord& access) const {
  if (is_thread_start(access)) return false;
  bool shared = false;
  for_each_word(access, [&](uint64_t word) { shared |= owners_.at(word) == HEDDLE_NO_THREAD; });
  return shared;
}

bool SharedWords::is_block_of_thread_start(const HeddleRecord& record) const {
  const auto block = blocks_.find(record.address);
  return block != blocks_.end() && block->second.starts_thread;
}

bool SharedWords::is_thread_start(const HeddleRecord& record) const {
  const std::string_view file = record.site < trace_.sites.size() ? trace_.sites[record.site].file : std::string_view();
  return std::any_of(std::begin(kThreadStart), std::end(kThreadStart),
                     [&](std::string_view end) { return file.ends_with(end); });
}

void SharedWords::note_access(const HeddleRecord& record) {
  for_each_word(record, [&](uint64_t word) {
    const auto [place, is_new] = owners_.emplace(word, record.thread);
    if (!is_new && place->second != record.thread) place->second = HEDDLE_NO_THREAD;
  });
}

SharedWords::Block* SharedWords::block_around(uint64_t address) {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const auto block = std::prev(after);
  return address - block->first < std::max<uint64_t>(block->second.size, 1) ? &block->second : nullptr;
}

}  // namespace heddle::report
