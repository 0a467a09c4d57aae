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
  uint8_t type;    // mutex: PTHREAD_MUTEX_...; once: 0 new, 1 running, 2 done
  Thread* owner;   // mutex, writer of a rwlock, once
  uint32_t count;  // recursion depth, readers, arrivals, semaphore value
  uint32_t limit;  // barrier: how many
  uint32_t round;  // barrier
};

// The object at this address; made new when it was not known or of another
// kind. Use of a destroyed or freed object is a failure of the program.
SyncObject& sync_object(const void* address, SyncKind kind, const char* what);

// A new object, whatever was there before.
SyncObject& sync_create(const void* address, SyncKind kind);

// The object at this address if it is known.
SyncObject* sync_find(const void* address);

// True for an object in the data of a library: its synchronisation is the
// library's own affair. Threads are never switched inside a library, so such a
// lock is always free.
bool owned_by_library(const void* address);

// From now on its use is a failure.
void sync_destroy(SyncObject& object);

// Memory that begins a new life holds none.
void sync_forget(uint64_t address, uint64_t size);

// A local begins its life: what was destroyed in that place was another object.
// Objects that were not destroyed stay, as somebody may still wait for them.
void sync_forget_destroyed(uint64_t address, uint64_t size);

void reset_sync_objects();

}  // namespace heddle::rt
