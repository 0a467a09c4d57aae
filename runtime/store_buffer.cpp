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

BufferedStore& store_at(const Thread& thread, uint32_t place) {
  return thread.stores.items[thread.stores.first + place];
}

bool overlap(const BufferedStore& store, uint64_t address, uint64_t size) {
  return store.size && (store.address - address < size || address - store.address < store.size);
}

uint32_t places(const Thread& thread) { return thread.stores.end - thread.stores.first; }

constexpr uint32_t kChainsPerStore = 4;

uint32_t& chain_of(const StoreBuffer& buffer, uint64_t word) {
  return buffer.chains[(word * 0x9e3779b97f4a7c15 >> 32) & (buffer.capacity * kChainsPerStore - 1)];
}

void clear_chains(StoreBuffer& buffer) {
  if (buffer.capacity) memset(buffer.chains, 0, buffer.capacity * kChainsPerStore * sizeof(uint32_t));
}

void link(StoreBuffer& buffer, uint32_t place) {
  BufferedStore& store = buffer.items[place];
  const uint64_t first = store.address / 8, last = (store.address + store.size - 1) / 8;
  for (uint64_t word = first; word <= last; ++word) {
    uint32_t& chain = chain_of(buffer, word);
    store.older[word - first] = chain;
    chain = 1 + 3 * place + static_cast<uint32_t>(word - first);
  }
}

// The newest store before place `before` that overlaps these bytes, or -1.
int64_t newest_overlapping(const Thread& thread, uint64_t address, uint64_t size, uint32_t before) {
  const StoreBuffer& buffer = thread.stores;
  int64_t newest = -1;
  for (uint64_t word = address / 8; word <= (address + size - 1) / 8; ++word) {
    for (uint32_t at = chain_of(buffer, word); at;) {
      const uint32_t place = (at - 1) / 3;
      if (place < buffer.first || static_cast<int64_t>(place) <= newest) break;
      if (place < before && overlap(buffer.items[place], address, size)) newest = place;
      at = buffer.items[place].older[(at - 1) % 3];
    }
  }
  return newest;
}

bool covers(const BufferedStore& store, uint64_t address, uint64_t size) {
  return store.address <= address && address + size <= store.address + store.size;
}

// Room for one more at the end: drops what has left, and doubles if that is not much.
void make_room(Thread& thread) {
  StoreBuffer& buffer = thread.stores;
  if (buffer.end < buffer.capacity) return;
  uint32_t kept = 0;
  for (uint32_t place = buffer.first; place < buffer.end; ++place)
    if (buffer.items[place].size) buffer.items[kept++] = buffer.items[place];
  if (2 * kept >= buffer.capacity) {
    buffer.items = static_cast<BufferedStore*>(grown(buffer.items, sizeof(BufferedStore), kept, buffer.capacity));
    buffer.chains = static_cast<uint32_t*>(runtime_memory(buffer.capacity * kChainsPerStore * sizeof(uint32_t)));
  } else {
    clear_chains(buffer);
  }
  buffer.first = 0;
  buffer.end = kept;
  for (uint32_t place = 0; place < kept; ++place) link(buffer, place);
}

BufferedStore take_out(Thread& thread, uint32_t place) {
  StoreBuffer& buffer = thread.stores;
  const BufferedStore store = store_at(thread, place);
  store_at(thread, place).size = 0;
  while (buffer.first < buffer.end && !buffer.items[buffer.first].size) ++buffer.first;
  --thread.buffered;
  --g.buffered;
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

void reset_stores(StoreBuffer& buffer) {
  if (buffer.end) clear_chains(buffer);
  buffer.first = buffer.end = buffer.markers = 0;
}

void buffer_store(Thread& self, uint64_t address, uint32_t size, uint64_t value, uint64_t value2, uint32_t order,
                  uint32_t site) {
  touch(address);
  touch(address + size - 1);
  if (heddle_puts_marker(HEDDLE_STORE, static_cast<uint8_t>(order))) ++self.stores.markers;
  make_room(self);
  StoreBuffer& buffer = self.stores;
  buffer.items[buffer.end] =
      BufferedStore{address, value, value2, self.index, site, buffer.markers, {}, static_cast<uint8_t>(size)};
  link(buffer, buffer.end++);
  ++self.buffered;
  ++g.buffered;
}

void buffer_fence(Thread& self, uint32_t order) {
  if (heddle_puts_marker(HEDDLE_FENCE, static_cast<uint8_t>(order))) ++self.stores.markers;
}

bool buffer_allows(const Thread& thread) {
  const Operation& operation = thread.pending;
  if (operation.kind == HEDDLE_EVENT_NONE) {
    for (uint32_t place = 0; place < places(thread); ++place)
      if (overlap(store_at(thread, place), operation.address, operation.value)) return false;
    return true;
  }
  if (heddle_waits_for_stores(operation.kind, operation.order, operation.flags)) return false;
  if (operation.kind != HEDDLE_LOAD) return true;
  const int64_t newest = newest_overlapping(thread, operation.address, operation.size, thread.stores.end);
  return newest < 0 || covers(thread.stores.items[newest], operation.address, operation.size);
}

int64_t find_store(const Thread& thread, uint32_t index) {
  uint32_t from = 0, to = places(thread);  // indices rise
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (store_at(thread, middle).index < index) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  const bool found = from < places(thread) && store_at(thread, from).index == index && store_at(thread, from).size;
  return found ? int64_t{from} : -1;
}

const char* why_not_flush(const Thread& thread, uint32_t place) {
  if (place == 0) return nullptr;
  if (g.memory == HEDDLE_MEMORY_TSO) return "an older store of this thread is still in its buffer";
  const BufferedStore& store = store_at(thread, place);
  if (store_at(thread, 0).marker != store.marker)
    return "an older store, before a release, is still in the buffer of this thread";
  if (newest_overlapping(thread, store.address, store.size, thread.stores.first + place) >= 0)
    return "an older store of this thread to the same bytes is still in its buffer";
  return nullptr;
}

uint32_t random_store(const Thread& thread) {
  if (g.memory != HEDDLE_MEMORY_PSO) return 0;
  constexpr uint32_t kMostLookedAt = 64;
  const uint32_t looked_at = places(thread) < kMostLookedAt ? places(thread) : kMostLookedAt;
  uint32_t chosen = 0, candidates = 0;
  for (uint32_t place = 0; place < looked_at; ++place)
    if (store_at(thread, place).size && !why_not_flush(thread, place) && next_random() % ++candidates == 0)
      chosen = place;
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
    StoreBuffer& buffer = thread->stores;
    for (uint32_t place = buffer.first; thread->buffered && place < buffer.end; ++place) {
      if (!overlap(buffer.items[place], address, size)) continue;
      const BufferedStore store = take_out(*thread, place - buffer.first);
      record_flush(*thread, store, HEDDLE_FLAG_FAILED, store.value2);
    }
  }
}

bool copy_seen(const Thread& self, uint64_t address, uint32_t size, void* result) {
  char* bytes = static_cast<char*>(result);
  memcpy(bytes, reinterpret_cast<const void*>(address), size);
  if (!self.buffered) return false;
  const int64_t newest = newest_overlapping(self, address, size, self.stores.end);
  if (newest < 0) return false;
  const auto copy = [&](const BufferedStore& store, uint64_t from, uint64_t count) {
    const uint64_t values[] = {store.value, store.value2};
    memcpy(bytes + (from - address), reinterpret_cast<const char*>(values) + (from - store.address), count);
  };
  if (covers(self.stores.items[newest], address, size)) {
    copy(self.stores.items[newest], address, size);
    return true;
  }
  for (uint64_t byte = address; byte < address + size; ++byte) {
    const int64_t store = newest_overlapping(self, byte, 1, self.stores.end);
    if (store >= 0) copy(self.stores.items[store], byte, 1);
  }
  return true;
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
