// SPDX-License-Identifier: Apache-2.0
#include "tracked.h"

#include <string.h>

#include "scheduler.h"
#include "slots.h"
#include "spin.h"
#include "support.h"

namespace heddle::rt {

bool g_tracking;

namespace {

struct Word {
  uint64_t address;  // of 8 aligned bytes
  uint64_t value;
  uint32_t run;   // entries of earlier runs are free
  uint8_t known;  // bit i: byte i is known
};

Word* g_words;
uint32_t g_capacity;
uint32_t g_used;
uint32_t g_run = 1;

// Stack memory is reused all the time by code that tells nobody. Only announced
// locals of functions that have not returned hold what they held.
bool still_alive(uint64_t address) {
  if (!in_slots(address) || offset_in_slot(address) < kStackOffset) return true;
  if (offset_in_slot(address) >= kCarrierStackOffset) return false;
  const Thread* owner = slot_of(address)->thread;
  if (!owner || owner->ended) return false;
  const uint64_t end =
      owner == g.current ? reinterpret_cast<uint64_t>(__builtin_frame_address(0)) : owner->stack_pointer;
  return address >= end && *shadow_of(address) == kGranuleLive;
}

Word& find(uint64_t address) {
  uint32_t place = static_cast<uint32_t>((address >> 3) * 0x9e3779b97f4a7c15 >> 36) & (g_capacity - 1);
  while (g_words[place].run == g_run && g_words[place].address != address) place = (place + 1) & (g_capacity - 1);
  return g_words[place];
}

void grow() {
  Word* old = g_words;
  const uint32_t old_capacity = g_capacity;
  g_capacity = g_capacity ? g_capacity * 2 : 1024;
  g_words = static_cast<Word*>(runtime_memory(g_capacity * sizeof(Word)));
  for (uint32_t i = 0; i < old_capacity; ++i)
    if (old[i].run == g_run) find(old[i].address) = old[i];
}

Word& word_at(uint64_t address) {
  if (g_used * 2 >= g_capacity) grow();
  Word& word = find(address);
  if (word.run != g_run) {
    word = Word{address, 0, g_run, 0};
    ++g_used;
  }
  return word;
}

uint64_t mask_of(uint8_t known) {
  uint64_t mask = 0;
  for (int i = 0; i < 8; ++i)
    if (known >> i & 1) mask |= 0xffull << (8 * i);
  return mask;
}

// Calls visit(word, shift, bytes, part of value) for each aligned word touched.
template <typename Visit>
void for_words(uint64_t address, uint32_t size, uint64_t value, Visit visit) {
  while (size) {
    const uint32_t offset = address % 8;
    const uint32_t part = size < 8 - offset ? size : 8 - offset;
    const uint64_t mask = part == 8 ? ~0ull : (1ull << (8 * part)) - 1;
    visit(word_at(address - offset), offset, part, value & mask);
    if (part == size) return;
    address += part;
    size -= part;
    value >>= 8 * part;
  }
}

}  // namespace

void tracked_begin(bool program_calls_unknown_functions) {
  g_tracking = program_calls_unknown_functions;
  g_used = 0;
  ++g_run;
}

void remember(uint64_t address, uint32_t size, uint64_t value) {
  for_words(address, size, value, [](Word& word, uint32_t offset, uint32_t part, uint64_t bytes) {
    const uint8_t known = static_cast<uint8_t>(((1u << part) - 1) << offset);
    const uint64_t mask = mask_of(known);
    word.value = (word.value & ~mask) | (bytes << (8 * offset));
    word.known |= known;
  });
}

void compare_read(Thread& self, uint64_t address, uint32_t size, uint64_t value) {
  bool differs = false;
  for_words(address, size, value, [&](Word& word, uint32_t offset, uint32_t part, uint64_t bytes) {
    const uint8_t touched = static_cast<uint8_t>(((1u << part) - 1) << offset);
    const uint64_t mask = mask_of(word.known & touched);
    differs |= ((word.value ^ (bytes << (8 * offset))) & mask) != 0;
  });
  if (differs) {
    // Not an operation of this thread: it hangs before the load that found it.
    append(HeddleRecord{HEDDLE_UNTRACKED, static_cast<uint8_t>(size), 0, 0, self.number, self.index, self.site, address,
                        value, 0});
  }
  remember(address, size, value);
}

void forget(uint64_t address, uint64_t size) {
  if (!g_tracking || !g_used) return;
  for (uint64_t at = address & ~7ull; at < address + size; at += 8) {
    Word& word = find(at);
    if (word.run == g_run) word.known = 0;
  }
}

void record_untracked_writes(Thread& self, uint32_t site) {
  for (uint32_t i = 0; i < g_capacity; ++i) {
    Word& word = g_words[i];
    if (word.run != g_run || !word.known) continue;
    if (!still_alive(word.address)) {
      word.known = 0;
      continue;
    }
    uint64_t now;
    memcpy(&now, reinterpret_cast<const void*>(word.address), sizeof now);
    const uint64_t mask = mask_of(word.known);
    if (((now ^ word.value) & mask) == 0) continue;
    for (uint32_t byte = 0; byte < 8; ++byte) {
      if (!(word.known >> byte & 1) || ((now ^ word.value) >> (8 * byte) & 0xff) == 0) continue;
      record(self, HEDDLE_EXTERN_WRITE, 1, 0, 0, site, word.address + byte, now >> (8 * byte) & 0xff, 0);
    }
    word.value = (word.value & ~mask) | (now & mask);
    note_change(self, word.address);
  }
}

}  // namespace heddle::rt
