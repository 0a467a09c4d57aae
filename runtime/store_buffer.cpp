// SPDX-License-Identifier: Apache-2.0
#include "store_buffer.h"

#include "abi/hooks.h"
#include "recorder.h"
#include "scheduler.h"
#include "spin.h"
#include "support.h"
#include "tracked.h"

namespace heddle::rt {
namespace {

BufferedStore& store_at(const Thread& thread, uint32_t place) { return thread.stores.items[thread.stores.first + place]; }

bool overlap(const BufferedStore& store, uint64_t address, uint64_t size) {
  return store.address - address < size || address - store.address < store.size;
}

// Room for one more at the end.
void make_room(Thread& thread) {
  StoreBuffer& buffer = thread.stores;
  if (buffer.first + thread.buffered < buffer.capacity) return;
  BufferedStore* from = buffer.items + buffer.first;
  if (buffer.first > buffer.capacity / 2) {  // the front half is free
    memmove(buffer.items, from, thread.buffered * sizeof(BufferedStore));
  } else {
    buffer.items = static_cast<BufferedStore*>(grown(from, sizeof(BufferedStore), thread.buffered, buffer.capacity));
  }
  buffer.first = 0;
}

// Takes the store out; those before it move up by one.
BufferedStore take_out(Thread& thread, uint32_t place) {
  const BufferedStore store = store_at(thread, place);
  BufferedStore* oldest = &store_at(thread, 0);
  memmove(oldest + 1, oldest, place * sizeof(BufferedStore));
  --thread.buffered;
  --g.buffered;
  thread.stores.first = thread.buffered ? thread.stores.first + 1 : 0;
  return store;
}

void record_flush(const Thread& owner, const BufferedStore& store, uint8_t flags, uint64_t value2) {
  append(HeddleRecord{HEDDLE_FLUSH, store.size, 0, flags, owner.number, store.index, store.site, store.address,
                      store.value, value2});
}

// A buffered store must crash where it is issued, as any other does. (The
// compiler would make an ordinary "or 0" a mere read.)
void touch(uint64_t address) { asm volatile("orb $0, (%0)" : : "r"(address) : "memory", "cc"); }

}  // namespace

void buffer_store(Thread& self, uint64_t address, uint32_t size, uint64_t value, uint64_t value2, uint32_t order,
                  uint32_t site) {
  touch(address);
  touch(address + size - 1);
  if (heddle_puts_marker(HEDDLE_STORE, static_cast<uint8_t>(order))) ++self.stores.markers;
  make_room(self);
  store_at(self, self.buffered) = BufferedStore{address, value, value2, self.index, site, self.stores.markers,
                                                static_cast<uint8_t>(size)};
  ++self.buffered;
  ++g.buffered;
}

void buffer_fence(Thread& self, uint32_t order) {
  if (heddle_puts_marker(HEDDLE_FENCE, static_cast<uint8_t>(order))) ++self.stores.markers;
}

bool buffer_allows(const Thread& thread) {
  const Operation& operation = thread.pending;
  if (operation.kind == HEDDLE_EVENT_NONE) {
    for (uint32_t place = 0; place < thread.buffered; ++place)
      if (overlap(store_at(thread, place), operation.address, operation.value)) return false;
    return true;
  }
  if (heddle_waits_for_stores(operation.kind, operation.order, operation.flags)) return false;
  if (operation.kind != HEDDLE_LOAD) return true;
  for (uint32_t place = thread.buffered; place--;) {
    const BufferedStore& store = store_at(thread, place);
    if (!overlap(store, operation.address, operation.size)) continue;
    return store.address <= operation.address && operation.address + operation.size <= store.address + store.size;
  }
  return true;
}

int64_t find_store(const Thread& thread, uint32_t index) {
  for (uint32_t place = 0; place < thread.buffered; ++place)
    if (store_at(thread, place).index == index) return place;
  return -1;
}

const char* why_not_flush(const Thread& thread, uint32_t place) {
  if (place == 0) return nullptr;
  if (g.memory == HEDDLE_MEMORY_TSO) return "an older store of this thread is still in its buffer";
  const BufferedStore& store = store_at(thread, place);
  for (uint32_t older = 0; older < place; ++older) {
    if (store_at(thread, older).marker != store.marker)
      return "an older store, before a release, is still in the buffer of this thread";
    if (overlap(store_at(thread, older), store.address, store.size))
      return "an older store of this thread to the same bytes is still in its buffer";
  }
  return nullptr;
}

uint32_t random_store(const Thread& thread) {
  if (g.memory != HEDDLE_MEMORY_PSO) return 0;
  constexpr uint32_t kMostLookedAt = 64;
  const uint32_t looked_at = thread.buffered < kMostLookedAt ? thread.buffered : kMostLookedAt;
  uint32_t chosen = 0, candidates = 0;
  for (uint32_t place = 0; place < looked_at; ++place)
    if (!why_not_flush(thread, place) && next_random() % ++candidates == 0) chosen = place;
  return chosen;
}

void flush_store(Thread& owner, uint32_t place) {
  const BufferedStore store = take_out(owner, place);
  const uint64_t values[] = {store.value, store.value2};
  void* memory = reinterpret_cast<void*>(store.address);
  const bool changes = memcmp(memory, values, store.size) != 0;
  uint64_t replaced = 0;
  const bool says_so = store.size <= 8 && (g.request->flags & HEDDLE_REQUEST_REPLACED);
  if (says_so) memcpy(&replaced, memory, store.size);
  memcpy(memory, values, store.size);
  track_write(store.address, store.size < 8 ? store.size : 8, store.value);
  if (store.size == 16) track_write(store.address + 8, 8, store.value2);
  record_flush(owner, store, says_so ? HEDDLE_FLAG_REPLACED : 0, says_so ? replaced : store.value2);
  if (HEDDLE_UNLIKELY(g.avoids)) stop_avoiding(owner, HEDDLE_FLUSH, store.address, store.size);
  if (!changes) return;
  g.idle = 0;
  if (g.spinners) wake_spinners(store.address);
}

void drop_stores(uint64_t address, uint64_t size) {
  for (Thread* thread = g.first; thread && g.buffered; thread = thread->next) {
    for (uint32_t place = 0; place < thread->buffered;) {
      if (overlap(store_at(*thread, place), address, size)) {
        const BufferedStore dropped = take_out(*thread, place);
        record_flush(*thread, dropped, HEDDLE_FLAG_FAILED, dropped.value2);
      } else {
        ++place;
      }
    }
  }
}

bool copy_seen(const Thread& self, uint64_t address, uint32_t size, void* result) {
  char* bytes = static_cast<char*>(result);
  memcpy(bytes, reinterpret_cast<const void*>(address), size);
  bool buffered = false;
  for (uint32_t place = 0; place < self.buffered; ++place) {
    const BufferedStore& store = store_at(self, place);
    if (!overlap(store, address, size)) continue;
    buffered = true;
    const uint64_t values[] = {store.value, store.value2};
    const uint64_t from = store.address > address ? store.address : address;
    const uint64_t end = store.address + store.size < address + size ? store.address + store.size : address + size;
    memcpy(bytes + (from - address), reinterpret_cast<const char*>(values) + (from - store.address), end - from);
  }
  return buffered;
}

void settle_slowly(Thread& self, uint64_t address, uint64_t size) {
  announce(self, HEDDLE_EVENT_NONE, address, 0);
  self.pending.value = size;
  if (!stores_allow(self)) take_turn_slowly(self);
}

void settle_stack(Thread& self) {
  const uint64_t end = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  settle(self, end, reinterpret_cast<uint64_t>(self.stack_top) - end);
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void __heddle_settle(const void* address, size_t size) {
  settle(*g.current, reinterpret_cast<uint64_t>(address), size);
}
HEDDLE_EXPORT void __heddle_settle_stack() { settle_stack(*g.current); }
