// SPDX-License-Identifier: Apache-2.0
#include "sync_objects.h"

#include <errno.h>
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

SyncObject& renew(SyncObject& object, uint64_t address, SyncKind kind) {
  memset(static_cast<void*>(&object), 0, sizeof object);
  object.address = address;
  object.kind = kind;
  return object;
}

}  // namespace

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

void reset_sync_objects() {
  g_any_destroyed = false;
  for (uint32_t i = 0; i < g_used; ++i) {
    g_spare.push(g_table[g_places[i]]);
    g_table[g_places[i]] = nullptr;
  }
  g_used = 0;
}

}  // namespace heddle::rt
