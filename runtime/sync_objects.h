// SPDX-License-Identifier: Apache-2.0
//
// The state of mutexes, reader-writer locks, conditions, barriers, semaphores
// and one-time initialisations, kept beside the program's memory in a table by
// address, so that it cannot be damaged by the program and is gone after a run.
#pragma once

#include "state.h"

namespace heddle::rt {

enum class SyncKind : uint8_t { kNone, kMutex, kRwlock, kCondition, kBarrier, kSemaphore, kOnce, kWord };

struct SyncObject {
  uint64_t address;
  SyncKind kind;
  bool destroyed;
  uint8_t type;    // mutex, rwlock: as in pthread.h, or kSpinLock; condition: its clock; once: 0 new, 1 running, 2 done
  Thread* owner;   // mutex, writer of a rwlock, once
  uint32_t count;  // recursion depth, readers, arrivals, semaphore value
  uint32_t limit;  // barrier: threads a round takes; spin lock: it is locked and nobody holds it;
                   // semaphore: its address is no memory; once: it is a guard of C++
  uint32_t round;  // barrier
  uint32_t lined_up;  // rwlock: writers that wait, or are about to take it
  int32_t users;      // mutex: as glibc counts them, but for the owner (sync_mutex.cpp)
};

// The object at this address; made new when it was not known or of another kind.
SyncObject& sync_object(const void* address, SyncKind kind);

// Where objects of which the program may write over the memory are: a bit for each 16 bytes, by address. Bits stay set.
extern uint64_t g_object_filter[64];
inline bool may_be_object(uint64_t address) {
  return g_object_filter[(address >> 10) & 63] >> ((address >> 4) & 63) & 1;
}

// The thread has stored to this address. If an object that is in use lies there, the program has initialised it anew,
// without a call: by a constructor, a static initialiser that is assigned, memset. Performs that initialisation.
void note_overwritten(Thread& self, uint64_t address, uint32_t site);

// A new object, whatever was there before.
SyncObject& sync_create(const void* address, SyncKind kind);

// The object at this address if it is known.
SyncObject* sync_find(const void* address);

// At the turn of an operation: looks at the memory of its object as any access
// does. Released memory is a use after free; a null or wild pointer faults.
void touch_object(const void* address);
// The same for an operation that changes the object: memory that cannot be written faults.
void touch_object_to_write(const void* address);

// True if there is memory to be read, without a fault if there is none.
bool can_be_read(uint64_t address, uint64_t size);

// Objects in the data of the C and C++ libraries: their synchronisation is the
// library's own affair. Threads are never switched inside these libraries, so such a
// lock is always free.
bool owned_by_library(const void* address);

// The program says that other processes use the object: refuses it unless the memory is
// the process's own.
void check_shared_object(const void* address, bool is_shared);

// True if some object lies there.
bool has_sync_objects(uint64_t address, uint64_t size);

void sync_destroy(SyncObject& object);

// Memory that begins a new life holds none.
void sync_forget(uint64_t address, uint64_t size);

// A local begins its life: what was destroyed in that place was another object.
// Objects that were not destroyed stay, as somebody may still wait for them.
void sync_forget_destroyed(uint64_t address, uint64_t size);

void reset_sync_objects();

}  // namespace heddle::rt
