// SPDX-License-Identifier: Apache-2.0
#include "sync_objects.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "access.h"
#include "failure.h"
#include "mappings.h"
#include "program_image.h"
#include "real.h"
#include "support.h"
#include "sync_api.h"

namespace heddle::rt {
namespace {

// Open addressing; pointers to objects stay valid while the table grows, since
// the table holds pointers into blocks.
SyncObject** g_table;
uint32_t g_capacity;
uint32_t g_used;
uint32_t* g_places;  // used entries of the table, for a quick reset
Stack<SyncObject*> g_spare;
bool g_any_destroyed;

uint32_t place_of(uint64_t address, SyncObject** table, uint32_t capacity) {
  uint32_t place = static_cast<uint32_t>((address >> 3) * 0x9e3779b97f4a7c15 >> 40) & (capacity - 1);
  while (table[place] && table[place]->address != address) place = (place + 1) & (capacity - 1);
  return place;
}

void grow() {
  const uint32_t capacity = g_capacity ? g_capacity * 2 : 256;
  SyncObject** table = static_cast<SyncObject**>(runtime_memory(capacity * sizeof(SyncObject*)));
  uint32_t* places = static_cast<uint32_t*>(runtime_memory(capacity * sizeof(uint32_t)));
  for (uint32_t i = 0; i < g_used; ++i) {
    SyncObject* object = g_table[g_places[i]];
    places[i] = place_of(object->address, table, capacity);
    table[places[i]] = object;
  }
  g_table = table;
  g_places = places;
  g_capacity = capacity;
}

SyncObject* new_object() {
  if (!g_spare.count) {
    constexpr uint32_t kBlock = 128;
    SyncObject* block = static_cast<SyncObject*>(runtime_memory(kBlock * sizeof(SyncObject)));
    for (uint32_t i = 0; i < kBlock; ++i) g_spare.push(&block[i]);
  }
  return g_spare.pop();
}

uint64_t size_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::kMutex: return sizeof(pthread_mutex_t);
    case SyncKind::kRwlock: return sizeof(pthread_rwlock_t);
    case SyncKind::kCondition: return sizeof(pthread_cond_t);
    case SyncKind::kSemaphore: return sizeof(sem_t);
    case SyncKind::kOnce: return sizeof(pthread_once_t);
    case SyncKind::kBarrier:  // there is no other way to initialise one than a call
    case SyncKind::kWord:     // the program's own
    case SyncKind::kNone: break;
  }
  return 0;
}

void enter_in_filter(uint64_t address, uint64_t size) {
  for (uint64_t at = address & ~15ull; at < address + size; at += 16)
    g_object_filter[(at >> 10) & 63] |= 1ull << ((at >> 4) & 63);
}

SyncObject& renew(SyncObject& object, uint64_t address, SyncKind kind) {
  enter_in_filter(address, size_of(kind));
  memset(static_cast<void*>(&object), 0, sizeof object);
  object.address = address;
  object.kind = kind;
  return object;
}

}  // namespace

uint64_t g_object_filter[64];

SyncObject* sync_find(const void* pointer) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  return g_capacity ? g_table[place_of(address, g_table, g_capacity)] : nullptr;
}

SyncObject& sync_create(const void* pointer, SyncKind kind) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (SyncObject* known = sync_find(pointer)) return renew(*known, address, kind);
  if (g_used * 2 >= g_capacity) grow();
  const uint32_t place = place_of(address, g_table, g_capacity);
  g_table[place] = new_object();
  g_places[g_used++] = place;
  return renew(*g_table[place], address, kind);
}

SyncObject& sync_object(const void* pointer, SyncKind kind) {
  SyncObject* known = sync_find(pointer);
  return known && known->kind == kind ? *known : sync_create(pointer, kind);
}

void touch_object(const void* pointer) {
  check_address(reinterpret_cast<uint64_t>(pointer), 1);
  static_cast<void>(*static_cast<const volatile char*>(pointer));
}

void touch_object_to_write(const void* pointer) {
  touch_object(pointer);
  asm volatile("lock orb $0, %0" : "+m"(*static_cast<volatile char*>(const_cast<void*>(pointer))));
}

bool can_be_read(uint64_t address, uint64_t size) {
  if (in_program_image(address) || (in_slots(address) && slot_of(address)->mapped)) return true;
  char copy[64];
  struct iovec from = {reinterpret_cast<void*>(address), size}, to = {copy, sizeof copy};
  find_real_functions();
  const int error = errno;
  const long process = getpid();
  const long read = real.syscall(SYS_process_vm_readv, process, &to, 1L, &from, 1L, 0L);
  errno = error;
  return read == static_cast<long>(size);
}

bool owned_by_library(const void* pointer) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  return !in_slots(address) && in_standard_library(address);
}

namespace {

// Memory from brk and sbrk: nothing else is mapped between the program and its break.
bool is_below_program_break(uint64_t address) {
  return address >= g_program_image.end && address < reinterpret_cast<uint64_t>(sbrk(0));
}

}  // namespace

void check_shared_object(const void* pointer, bool is_shared) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (!is_shared || !can_be_read(address, 1)) return;
  const bool is_own =
      in_slots(address) ? !in_shared_mapping(address) : in_loaded_image(address) || is_below_program_break(address);
  if (!is_own) unsupported("objects of synchronisation that other processes may share");
}

bool has_sync_objects(uint64_t address, uint64_t size) {
  for (uint32_t i = 0; i < g_used; ++i) {
    const SyncObject& object = *g_table[g_places[i]];
    if (object.kind != SyncKind::kNone && object.address - address < size) return true;
  }
  return false;
}

void sync_forget(uint64_t address, uint64_t size) {
  for (uint32_t i = 0; i < g_used; ++i) {
    SyncObject& object = *g_table[g_places[i]];
    if (object.address - address < size) object.kind = SyncKind::kNone;
  }
}

void sync_destroy(SyncObject& object) {
  object.destroyed = true;
  g_any_destroyed = true;
}

void sync_forget_destroyed(uint64_t address, uint64_t size) {
  if (!g_any_destroyed) return;
  for (uint32_t i = 0; i < g_used; ++i) {
    SyncObject& object = *g_table[g_places[i]];
    if (object.destroyed && object.address - address < size) object.kind = SyncKind::kNone;
  }
}

namespace {

// Spin locks are smaller than other mutexes.
uint64_t size_of(const SyncObject& object) {
  return object.kind == SyncKind::kMutex && object.type == kSpinLock ? sizeof(pthread_spinlock_t)
                                                                     : size_of(object.kind);
}

// The object whose memory has this byte; they are aligned to 4 bytes.
SyncObject* object_around(uint64_t address) {
  for (uint64_t at = address & ~3ull; at + sizeof(pthread_rwlock_t) > address; at -= 4) {
    SyncObject* object = sync_find(reinterpret_cast<const void*>(at));
    if (object && object->kind != SyncKind::kNone) return address - at < size_of(*object) ? object : nullptr;
  }
  return nullptr;
}

template <typename T>
const T& memory_of(const SyncObject& object) {
  return *reinterpret_cast<const T*>(object.address);
}

void begin_new_life(Thread& self, SyncObject& object, uint8_t kind, uint32_t site) {
  announce(self, kind, object.address, site);
  take_turn(self);
}

void renew_mutex(Thread& self, SyncObject& object, uint32_t site) {
  if (!object.owner && !object.destroyed && !object.users) return;
  const bool is_spin = object.type == kSpinLock, is_held = object.owner && (is_spin || !object.destroyed);
  begin_new_life(self, object, HEDDLE_MUTEX_INIT, site);
  SyncObject& fresh = sync_create(reinterpret_cast<const void*>(object.address), SyncKind::kMutex);
  fresh.type = is_spin ? kSpinLock : PTHREAD_MUTEX_DEFAULT;  // one that is not held says its type in memory
  fresh.limit = is_spin && memory_of<pthread_spinlock_t>(fresh) != kFreeSpin;
  record_checked(self, 0, fresh.type, 0, is_held ? "a mutex that is held is written over" : nullptr);
  note_change(self, fresh.address);
}

void renew_rwlock(Thread& self, SyncObject& object, uint32_t site) {
  if (!object.owner && !object.count && !object.destroyed) return;
  const bool is_held = object.owner || object.count;
  begin_new_life(self, object, HEDDLE_RWLOCK_INIT, site);
  const SyncObject& fresh = sync_create(reinterpret_cast<const void*>(object.address), SyncKind::kRwlock);
  record_checked(self, 0, fresh.type, 0, is_held ? "a reader-writer lock that is held is written over" : nullptr);
  note_change(self, fresh.address);
}

void renew_condition(Thread& self, SyncObject& object, uint32_t site) {
  if (!object.destroyed) return;
  begin_new_life(self, object, HEDDLE_COND_INIT, site);
  sync_create(reinterpret_cast<const void*>(object.address), SyncKind::kCondition);
  record(self);
  note_change(self, object.address);
}

// Its memory says how many tokens it has now.
void renew_semaphore(Thread& self, SyncObject& object, uint32_t site) {
  if (!object.count && !object.destroyed) return;
  begin_new_life(self, object, HEDDLE_SEM_INIT, site);
  SyncObject& fresh = sync_create(reinterpret_cast<const void*>(object.address), SyncKind::kSemaphore);
  fresh.count = memory_of<uint32_t>(fresh);
  record(self, fresh.count);
  note_change(self, fresh.address);
}

void renew_once(Thread& self, SyncObject& object, uint32_t site) {
  constexpr uint8_t kNew = 0;
  if (object.type == kNew || object.limit) return;  // guards of statics are written by the compiler's own code
  begin_new_life(self, object, HEDDLE_ONCE_INIT, site);
  const SyncObject& fresh = sync_create(reinterpret_cast<const void*>(object.address), SyncKind::kOnce);
  record(self);
  note_change(self, fresh.address);
}

}  // namespace

void note_overwritten(Thread& self, uint64_t address, uint32_t site) {
  SyncObject* object = object_around(address);
  if (!object) return;
  switch (object->kind) {
    case SyncKind::kMutex: return renew_mutex(self, *object, site);
    case SyncKind::kRwlock: return renew_rwlock(self, *object, site);
    case SyncKind::kCondition: return renew_condition(self, *object, site);
    case SyncKind::kSemaphore: return renew_semaphore(self, *object, site);
    case SyncKind::kOnce: return renew_once(self, *object, site);
    default: return;
  }
}

void reset_sync_objects() {
  memset(g_object_filter, 0, sizeof g_object_filter);
  g_any_destroyed = false;
  for (uint32_t i = 0; i < g_used; ++i) {
    g_spare.push(g_table[g_places[i]]);
    g_table[g_places[i]] = nullptr;
  }
  g_used = 0;
}

}  // namespace heddle::rt
