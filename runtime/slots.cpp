// SPDX-License-Identifier: Apache-2.0
#include "slots.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "real.h"
#include "state.h"
#include "support.h"

namespace heddle::rt {

Slot* g_slots;
void (*slot_thread_body)(Slot&);

namespace {

constexpr uint64_t kReleaseAbove = 1ull << 20;  // from here on pages are given back, not cleared

uint32_t* g_used_slots;  // numbers of slots in use
uint32_t g_used_count;

void map_fixed(uint64_t address, uint64_t size) {
  void* wanted = reinterpret_cast<void*>(address);
  void* memory = real.mmap(wanted, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) runtime_broken("the memory of a thread is taken by something else");
}

void map_slot(Slot& slot) {
  const uint64_t base = reinterpret_cast<uint64_t>(slot.base());
  map_fixed(base, kStackOffset);
  map_fixed(reinterpret_cast<uint64_t>(shadow_of(base)), kLibraryHeapOffset / 16);
  map_fixed(base + kCarrierStackOffset, kSlotStride - kCarrierStackOffset);
  slot.mapped = true;
}

// The lowest page of a stack stays unmapped: running over it is a fault.
void map_stack(Slot& slot, uint64_t size) {
  if (slot.stack_size >= size) return;
  const uint64_t top = reinterpret_cast<uint64_t>(slot.stack_top());
  map_fixed(top - size, size - slot.stack_size);
  map_fixed(reinterpret_cast<uint64_t>(shadow_of(top - size)), (size - slot.stack_size) / 16);
  slot.stack_size = size;
}

uint64_t mix(uint64_t value) {
  value ^= value >> 31;
  value *= 0x7fb5d329728ea185;
  value ^= value >> 27;
  value *= 0x81dadef4bc2dd44d;
  return value ^ (value >> 33);
}

Slot* find_slot(const Thread* parent, uint32_t child_number) {
  if (!parent) return &g_slots[0];
  if (!parent->parent && child_number + 1 < kDirectSlots) return &g_slots[child_number + 1];
  const uint32_t span = kSlotCount - kDirectSlots;
  const uint64_t hash = mix(parent->handle * 31 + child_number);
  for (uint32_t probe = 0; probe < span; ++probe) {
    Slot& slot = g_slots[kDirectSlots + (hash + probe) % span];
    if (!slot.in_use) return &slot;
  }
  return nullptr;
}

struct TlsExtent {
  char* lowest;
};

int find_lowest_tls(dl_phdr_info* info, size_t, void* data) {
  TlsExtent* extent = static_cast<TlsExtent*>(data);
  char* block = static_cast<char*>(info->dlpi_tls_data);
  if (block && (!extent->lowest || block < extent->lowest)) extent->lowest = block;
  return 0;
}

// Runs on the slot's own operating-system thread.
void* slot_thread(void* argument) {
  Slot& slot = *static_cast<Slot*>(argument);
  char* self = reinterpret_cast<char*>(real.pthread_self());
  TlsExtent extent = {};
  dl_iterate_phdr(find_lowest_tls, &extent);
  slot.tls_start = extent.lowest && extent.lowest < self ? extent.lowest : self;
  slot.tls_size = static_cast<size_t>(self - slot.tls_start);
  if (!slot.tls_image && slot.tls_size) slot.tls_image = static_cast<char*>(runtime_memory(slot.tls_size));
  if (slot.tls_size) memcpy(slot.tls_image, slot.tls_start, slot.tls_size);
  __atomic_store_n(&slot.fs_base, reinterpret_cast<uint64_t>(self), __ATOMIC_RELEASE);
  __atomic_store_n(&slot.baton, 2u, __ATOMIC_RELEASE);
  futex_wake(&slot.baton);
  slot_thread_body(slot);
  return nullptr;
}

void clear(char* start, uint64_t used) {
  if (used > kReleaseAbove) {
    madvise(start, (used + 4095) & ~4095ull, MADV_DONTNEED);
  } else if (used) {
    memset(start, 0, used);
  }
}

// What calls have left on the stack. Where a thread of the next run does not write, it would be part of what that one
// is compared by (private_state.h), though it knows nothing of it. Ends where the stack seems never to have been used.
void clear_stack(const Slot& slot) {
  constexpr uint64_t kPage = 4096;
  constexpr uint32_t kUnused = 2;
  const uint64_t bottom = reinterpret_cast<uint64_t>(slot.stack_top()) - slot.stack_size;
  uint64_t page = reinterpret_cast<uint64_t>(slot.stack_top());
  for (uint32_t unused = 0; unused < kUnused && page - bottom >= kPage;) {
    page -= kPage;
    uint64_t* const words = reinterpret_cast<uint64_t*>(page);
    uint64_t all = 0;
    for (uint32_t i = 0; i < kPage / sizeof(uint64_t); ++i) all |= words[i];
    unused = all ? 0 : unused + 1;
    if (all) memset(words, 0, kPage);
  }
}

}  // namespace

Slot* take_slot(const Thread* parent, uint32_t child_number, uint64_t stack_size) {
  if (!g_slots) {
    g_slots = static_cast<Slot*>(runtime_memory(kSlotCount * sizeof(Slot)));
    g_used_slots = static_cast<uint32_t*>(runtime_memory(kSlotCount * sizeof(uint32_t)));
  }
  if (stack_size > kStackSpan - 4096) return nullptr;
  Slot* slot = find_slot(parent, child_number);
  if (!slot) return nullptr;
  slot->number = static_cast<uint32_t>(slot - g_slots);
  if (!slot->mapped) map_slot(*slot);
  map_stack(*slot, stack_size < kStackSize ? kStackSize : (stack_size + 4095) & ~4095ull);
  slot->in_use = true;
  g_used_slots[g_used_count++] = slot->number;
  if (slot->number < kDirectSlots && slot->number >= g.channel->slots_used) g.channel->slots_used = slot->number + 1;
  return slot;
}

void prepare_slots(uint32_t count) {
  for (uint32_t i = 0; i < count && i < kDirectSlots; ++i) {
    if (g_slots && g_slots[i].fs_base) continue;
    if (i == 0) take_slot(nullptr, 0, 0);
    g_slots[i].number = i;
    if (!g_slots[i].mapped) map_slot(g_slots[i]);
    map_stack(g_slots[i], kStackSize);
    lend_thread_storage(g_slots[i]);
  }
  reset_slots();
}

void lend_thread_storage(Slot& slot) {
  if (slot.fs_base) return;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const uint64_t size = kSlotStride - kCarrierStackOffset;
  real.pthread_attr_setstack(&attributes, slot.base() + kCarrierStackOffset, size);
  slot.baton = 1;
  pthread_t ignored;
  const bool active = g.active;  // what the C library allocates for the thread outlives the run
  g.active = false;
  const int failed = real.pthread_create(&ignored, &attributes, slot_thread, &slot);
  g.active = active;
  pthread_attr_destroy(&attributes);
  if (failed) runtime_broken("cannot create an operating-system thread");
  while (__atomic_load_n(&slot.baton, __ATOMIC_ACQUIRE) == 1) futex_wait(&slot.baton, 1);
}

void reset_slots() {
  for (uint32_t i = 0; i < g_used_count; ++i) {
    Slot& slot = g_slots[g_used_slots[i]];
    clear(slot.base(), slot.heap_used);
    clear(reinterpret_cast<char*>(shadow_of(reinterpret_cast<uint64_t>(slot.base()))), (slot.heap_used + 15) / 16);
    clear(slot.base() + kLibraryHeapOffset, slot.library_used);
    if (slot.stack_objects) {
      clear(reinterpret_cast<char*>(shadow_of(slot.stack_objects)),
            (reinterpret_cast<uint64_t>(slot.stack_top()) - slot.stack_objects) / 16);
      slot.stack_objects = 0;
    }
    // A thread of the operating system may still sleep there.
    if (g.tells_states && g.channel->carrier == HEDDLE_CARRIER_FIBER) clear_stack(slot);
    if (slot.fs_base && slot.tls_size) memcpy(slot.tls_start, slot.tls_image, slot.tls_size);
    slot.heap_used = 0;
    slot.library_used = 0;
    slot.in_use = false;
    slot.thread = nullptr;
  }
  g_used_count = 0;
}

}  // namespace heddle::rt
