// SPDX-License-Identifier: Apache-2.0
//
// Hooks of plain and atomic loads and stores, and of ranges.
#include "access.h"
#include "sync_objects.h"

using namespace heddle::rt;

#define HEDDLE_ACCESS_HOOKS(bytes, type)                                                               \
  HEDDLE_EXPORT type __heddle_load##bytes(const void* address, uint32_t order, uint32_t site) {        \
    return perform_load<type>(*g.current, address, order, site);                                       \
  }                                                                                                    \
  HEDDLE_EXPORT void __heddle_store##bytes(void* address, type value, uint32_t order, uint32_t site) { \
    perform_store<type>(*g.current, address, value, order, site);                                      \
  }
HEDDLE_ACCESS_HOOKS(1, uint8_t)
HEDDLE_ACCESS_HOOKS(2, uint16_t)
HEDDLE_ACCESS_HOOKS(4, uint32_t)
HEDDLE_ACCESS_HOOKS(8, uint64_t)

namespace {

// The largest access that is aligned at `address` and fits into `left` bytes.
uint32_t piece_at(uint64_t address, size_t left) {
  uint32_t size = 8;
  while (size > left || address % size) size /= 2;
  return size;
}

uint64_t load_piece(Thread& self, const char* from, uint32_t size, uint32_t site) {
  switch (size) {
    case 1: return perform_load<uint8_t>(self, from, 0, site, HEDDLE_FLAG_MODEL);
    case 2: return perform_load<uint16_t>(self, from, 0, site, HEDDLE_FLAG_MODEL);
    case 4: return perform_load<uint32_t>(self, from, 0, site, HEDDLE_FLAG_MODEL);
    default: return perform_load<uint64_t>(self, from, 0, site, HEDDLE_FLAG_MODEL);
  }
}

void store_piece(Thread& self, char* to, uint64_t value, uint32_t size, uint32_t site,
                 uint8_t flags = HEDDLE_FLAG_MODEL) {
  switch (size) {
    case 1: return perform_store<uint8_t>(self, to, static_cast<uint8_t>(value), 0, site, flags);
    case 2: return perform_store<uint16_t>(self, to, static_cast<uint16_t>(value), 0, site, flags);
    case 4: return perform_store<uint32_t>(self, to, static_cast<uint32_t>(value), 0, site, flags);
    default: return perform_store<uint64_t>(self, to, value, 0, site, flags);
  }
}

void write_pieces(void* address, const void* private_copy, size_t size, uint32_t site, uint8_t flags) {
  char* to = static_cast<char*>(address);
  const char* from = static_cast<const char*>(private_copy);
  while (size) {
    const uint32_t piece = piece_at(reinterpret_cast<uint64_t>(to), size);
    uint64_t value = 0;
    memcpy(&value, from, piece);
    store_piece(*g.current, to, value, piece, site, flags);
    from += piece, to += piece, size -= piece;
  }
}

// Says on the shadow of a stack whether these bytes are an announced local.
void mark_stack(uint64_t address, size_t size, uint8_t state) {
  if (!in_slots(address) || offset_in_slot(address) < kStackOffset || !size) return;
  Slot& slot = *slot_of(address);
  const uint64_t first = address & ~15ull;
  memset(shadow_of(first), state, (address + size - first + 15) / 16);
  if (!slot.stack_objects || first < slot.stack_objects) slot.stack_objects = first;
}

uint32_t common_piece(const char* to, const char* from, size_t left) {
  const uint32_t a = piece_at(reinterpret_cast<uint64_t>(to), left);
  const uint32_t b = piece_at(reinterpret_cast<uint64_t>(from), left);
  return a < b ? a : b;
}

}  // namespace

HEDDLE_EXPORT void __heddle_read(const void* address, void* private_copy, size_t size, uint32_t site) {
  const char* from = static_cast<const char*>(address);
  char* to = static_cast<char*>(private_copy);
  while (size) {
    const uint32_t piece = piece_at(reinterpret_cast<uint64_t>(from), size);
    const uint64_t value = load_piece(*g.current, from, piece, site);
    memcpy(to, &value, piece);
    from += piece, to += piece, size -= piece;
  }
}

HEDDLE_EXPORT void __heddle_write(void* address, const void* private_copy, size_t size, uint32_t site) {
  write_pieces(address, private_copy, size, site, HEDDLE_FLAG_MODEL);
}

// The memory holds the new bytes already; the events say so.
HEDDLE_EXPORT void __heddle_range_written(const void* address, size_t size, uint32_t site) {
  char piece[256];
  for (char* to = static_cast<char*>(const_cast<void*>(address)); size;) {
    const size_t part = size < sizeof piece ? size : sizeof piece;
    memcpy(piece, to, part);
    write_pieces(to, piece, part, site, HEDDLE_FLAG_MODEL | HEDDLE_FLAG_SERIAL);
    to += part, size -= part;
  }
}

HEDDLE_EXPORT void __heddle_memcpy(void* to_start, const void* from_start, size_t size, uint32_t site) {
  char* to = static_cast<char*>(to_start);
  const char* from = static_cast<const char*>(from_start);
  while (size) {
    const uint32_t piece = common_piece(to, from, size);
    store_piece(*g.current, to, load_piece(*g.current, from, piece, site), piece, site);
    from += piece, to += piece, size -= piece;
  }
}

HEDDLE_EXPORT void __heddle_memmove(void* to_start, const void* from_start, size_t size, uint32_t site) {
  char* to = static_cast<char*>(to_start);
  const char* from = static_cast<const char*>(from_start);
  if (to <= from || to >= from + size) {
    __heddle_memcpy(to, from, size, site);
    return;
  }
  while (size) {  // backwards: the ranges overlap
    uint32_t piece = 8;
    while (piece > size || reinterpret_cast<uint64_t>(to + size) % piece ||
           reinterpret_cast<uint64_t>(from + size) % piece)
      piece /= 2;
    size -= piece;
    store_piece(*g.current, to + size, load_piece(*g.current, from + size, piece, site), piece, site);
  }
}

HEDDLE_EXPORT void __heddle_memset(void* to_start, int value, size_t size, uint32_t site) {
  char* to = static_cast<char*>(to_start);
  const uint64_t pattern = 0x0101010101010101ull * static_cast<uint8_t>(value);
  while (size) {
    const uint32_t piece = piece_at(reinterpret_cast<uint64_t>(to), size);
    store_piece(*g.current, to, pattern, piece, site);
    to += piece, size -= piece;
  }
}

HEDDLE_EXPORT void __heddle_stack_object(const void* pointer, size_t size, uint32_t site) {
  const Thread& self = *g.current;
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  forget(address, size);
  sync_forget_destroyed(address, size);
  mark_stack(address, size, kGranuleLive);
  append(HeddleRecord{HEDDLE_STACK_OBJECT, 0, 0, 0, self.number, self.index, site, address, size, 0});
}

HEDDLE_EXPORT void __heddle_stack_object_end(const void* pointer, size_t size, uint32_t site) {
  const Thread& self = *g.current;
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (HEDDLE_UNLIKELY(g.buffered)) drop_stores(address, size);
  forget(address, size);
  mark_stack(address, size, kGranuleFreed);
  append(HeddleRecord{HEDDLE_STACK_OBJECT_END, 0, 0, 0, self.number, self.index, site, address, size, 0});
}

HEDDLE_EXPORT void __heddle_place(uint32_t site) { g.current->site = site; }

HEDDLE_EXPORT void __heddle_learns_result() { g.current->learns_result = true; }
