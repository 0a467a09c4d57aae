// SPDX-License-Identifier: Apache-2.0
#include "heap.h"

#include <errno.h>
#include <string.h>

#include "abi/hooks.h"
#include "failure.h"
#include "scheduler.h"
#include "spin.h"
#include "support.h"
#include "sync_objects.h"
#include "tracked.h"

namespace heddle::rt {
namespace {

// Stands before every block. `start` is where the block's header area begins
// (alignment may push the block away from it).
struct Header {
  uint64_t size;
  uint32_t allocator;
  uint32_t magic;
};
constexpr uint32_t kLive = 0x6865646c;
constexpr uint32_t kFreed = 0x66726565;
constexpr uint64_t kGranule = 16;
constexpr uint64_t kAddressSpace = 1ull << 47;
static_assert(sizeof(Header) == kGranule);

Header* header_of(const void* block) { return static_cast<Header*>(const_cast<void*>(block)) - 1; }

uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

// Cuts a block off one of the areas of a slot; null when it is full.
char* cut(char* area, uint64_t area_size, uint64_t& used, size_t size, size_t alignment, uint32_t allocator) {
  if (alignment < kGranule) alignment = kGranule;
  if (size > area_size || alignment > area_size) return nullptr;
  const uint64_t start = reinterpret_cast<uint64_t>(area) + used;
  const uint64_t block = round_up(start + sizeof(Header), alignment);
  const uint64_t end = round_up(block + (size ? size : 1), kGranule) + kGranule;  // one granule of nothing behind
  if (end - reinterpret_cast<uint64_t>(area) > area_size) return nullptr;
  used = end - reinterpret_cast<uint64_t>(area);
  *header_of(reinterpret_cast<void*>(block)) = Header{size, allocator, kLive};
  return reinterpret_cast<char*>(block);
}

uint64_t granules(uint64_t size) { return (size ? size + kGranule - 1 : kGranule) / kGranule; }

bool in_program_heap(const void* block) {
  const uint64_t address = reinterpret_cast<uint64_t>(block);
  return in_slots(address) && offset_in_slot(address) < kLibraryHeapOffset;
}

// Released blocks by size in granules, the last one on top. Larger ones share a list.
constexpr uint32_t kSizes = 256;
Stack<char*> g_released[kSizes + 1];

Stack<char*>& released_of_size(uint64_t size) { return g_released[granules(size) < kSizes ? granules(size) : kSizes]; }

// The block of this size that was released last, as if it were new; null: there is none.
char* take_released(size_t size, size_t alignment, uint32_t allocator) {
  Stack<char*>& list = released_of_size(size);
  for (uint32_t i = list.count; i--;) {
    char* block = list.items[i];
    if (granules(header_of(block)->size) != granules(size)) continue;
    if (alignment && reinterpret_cast<uint64_t>(block) % alignment) continue;
    memmove(&list.items[i], &list.items[i + 1], (--list.count - i) * sizeof(char*));
    *header_of(block) = Header{size, allocator, kLive};
    memset(block, 0, granules(size) * kGranule);
    forget(reinterpret_cast<uint64_t>(block), size);
    sync_forget(reinterpret_cast<uint64_t>(block), size);
    return block;
  }
  return nullptr;
}

const char* allocator_name(uint32_t allocator) {
  switch (allocator) {
    case HEDDLE_ALLOCATOR_NEW: return "new";
    case HEDDLE_ALLOCATOR_NEW_ARRAY: return "new[]";
    default: return "malloc";
  }
}

// The header of a block that may be freed, or the end of the run.
Header& releasable(void* block) {
  const uint64_t address = reinterpret_cast<uint64_t>(block);
  const uint8_t state = address % kGranule ? uint8_t{kGranuleNone} : *shadow_of(address);
  Header& header = *header_of(block);
  const bool start_of_block = state != kGranuleNone && *shadow_of(address - kGranule) == kGranuleHeader;
  if (start_of_block && header.magic == kFreed) fail(HEDDLE_FAILURE_DOUBLE_FREE, address, 0, "double free");
  if (!start_of_block || header.magic != kLive)
    fail(HEDDLE_FAILURE_BAD_FREE, address, 0, "free of a pointer that is not the start of a block");
  return header;
}

}  // namespace

void* program_allocate(Thread& self, size_t size, size_t alignment, uint32_t allocator, uint32_t site) {
  announce(self, HEDDLE_ALLOC, 0, site);
  take_turn(self);
  Slot& slot = *self.slot;
  const bool reuse = g.channel->heap == HEDDLE_HEAP_REUSE && allocator != HEDDLE_ALLOCATOR_MAP;
  char* block = HEDDLE_UNLIKELY(reuse) ? take_released(size, alignment, allocator) : nullptr;
  if (!block) block = cut(slot.base(), kLibraryHeapOffset, slot.heap_used, size, alignment, allocator);
  // Natively it might succeed; what no process has room for fails there, too.
  if (!block && size < kAddressSpace) unsupported("more than 1 GiB of memory allocated by one thread");
  if (block) {
    uint8_t* shadow = shadow_of(reinterpret_cast<uint64_t>(block));
    shadow[-1] = kGranuleHeader;
    memset(shadow, kGranuleLive, granules(size));
    if (size % kGranule) shadow[granules(size) - 1] = static_cast<uint8_t>(kGranulePartial + size % kGranule);
    if (!size) shadow[0] = kGranuleHeader + 1;  // may be freed, not accessed
  } else {
    errno = ENOMEM;
  }
  record(self, HEDDLE_ALLOC, 0, 0, block ? 0 : HEDDLE_FLAG_FAILED, site, reinterpret_cast<uint64_t>(block), size,
         allocator);
  note_progress(self);
  return block;
}

void program_release(Thread& self, void* block, uint32_t allocator, uint32_t site) {
  if (!block) return;
  if (!in_program_heap(block)) {
    if (in_slots(reinterpret_cast<uint64_t>(block)) &&
        offset_in_slot(reinterpret_cast<uint64_t>(block)) < kStackOffset) {
      library_release(block);
      return;
    }
    self.site = site ? site : self.site;
    fail(HEDDLE_FAILURE_BAD_FREE, reinterpret_cast<uint64_t>(block), 0, "free of a pointer that was never allocated");
  }
  announce(self, HEDDLE_FREE, reinterpret_cast<uint64_t>(block), site);
  take_turn(self);
  Header& header = releasable(block);
  header.magic = kFreed;
  memset(shadow_of(reinterpret_cast<uint64_t>(block)), kGranuleFreed, granules(header.size));
  if (g.channel->heap == HEDDLE_HEAP_REUSE && allocator != HEDDLE_ALLOCATOR_MAP)
    released_of_size(header.size).push(static_cast<char*>(block));
  if (HEDDLE_UNLIKELY(header.allocator != allocator)) {  // all of them are one allocator in glibc
    Text text;
    text.add("memory from ").add(allocator_name(header.allocator)).add(" released as if from ");
    record_misuse(self, 0, allocator, 0, text.add(allocator_name(allocator)).c_str());
  } else {
    record(self, 0, allocator);
  }
  note_progress(self);
}

void reset_heap() {
  for (Stack<char*>& list : g_released) list.count = 0;
}

void* program_reallocate(Thread& self, void* block, size_t size, uint32_t site) {
  if (!block) return program_allocate(self, size, 0, HEDDLE_ALLOCATOR_MALLOC, site);
  const size_t old = block_size(block);
  void* moved = program_allocate(self, size, 0, HEDDLE_ALLOCATOR_MALLOC, site);
  if (!moved) return nullptr;
  __heddle_memcpy(moved, block, old < size ? old : size, site);
  program_release(self, block, HEDDLE_ALLOCATOR_MALLOC, site);
  return moved;
}

void* library_allocate(size_t size, size_t alignment) {
  Slot& slot = *g.current->slot;
  void* block = cut(slot.base() + kLibraryHeapOffset, kStackOffset - kLibraryHeapOffset, slot.library_used, size,
                    alignment, HEDDLE_ALLOCATOR_MALLOC);
  if (!block) errno = ENOMEM;
  return block;
}

void library_release(void*) {}  // gone with the run

size_t block_size(const void* block) { return header_of(block)->size; }

void check_stack_access(uint64_t address) {
  const uint64_t offset = offset_in_slot(address);
  if (offset < kStackOffset || offset >= kCarrierStackOffset) return;
  const Slot& slot = *slot_of(address);
  if (HEDDLE_LIKELY(&slot == g.current->slot) || !slot.stack_objects || address < slot.stack_objects) return;
  if (*shadow_of(address) == kGranuleFreed)
    fail(HEDDLE_FAILURE_USE_AFTER_FREE, address, 0, "use of a local variable whose function has returned");
}

void bad_heap_access(uint64_t address, uint8_t state) {
  if (state == kGranuleFreed) fail(HEDDLE_FAILURE_USE_AFTER_FREE, address, 0, "use of freed memory");
  fail(HEDDLE_FAILURE_OUT_OF_BOUNDS, address, 0, "access outside of a heap block");
}

}  // namespace heddle::rt

using namespace heddle::rt;

// std::__throw_bad_alloc of the C++ library; a C program has none, and no need.
extern "C" __attribute__((weak)) void _ZSt17__throw_bad_allocv();

HEDDLE_EXPORT void* __heddle_allocate(size_t size, size_t alignment, uint32_t allocator, uint32_t throws,
                                      uint32_t site) {
  void* block = program_allocate(*g.current, size, alignment, allocator, site);
  if (!block && throws && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  return block;
}

HEDDLE_EXPORT void* __heddle_reallocate(void* block, size_t size, uint32_t site) {
  return program_reallocate(*g.current, block, size, site);
}

HEDDLE_EXPORT void __heddle_release(void* block, uint32_t allocator, uint32_t site) {
  program_release(*g.current, block, allocator, site);
}

HEDDLE_EXPORT int __heddle_posix_memalign(void** result, size_t alignment, size_t size, uint32_t site) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) return EINVAL;
  void* block = program_allocate(*g.current, size, alignment, HEDDLE_ALLOCATOR_MALLOC, site);
  if (!block) return ENOMEM;
  __heddle_store8(result, reinterpret_cast<uint64_t>(block), HEDDLE_ORDER_NOT_ATOMIC, site);
  return 0;
}
