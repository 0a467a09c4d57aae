// SPDX-License-Identifier: Apache-2.0
//
// One-time initialisation: pthread_once (under std::call_once) and function-local
// statics. The first to enter runs it; others wait until it is done. Left by an
// exception, it is undone and the next one runs it.
#include <pthread.h>

#include "access.h"
#include "once_call.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

enum : uint8_t { kNew = 0, kRunning = 1, kDone = 2 };

bool not_running(const Thread& thread) { return thread.object->type != kRunning; }

SyncObject& once_at(const void* address) { return sync_object(address, SyncKind::kOnce); }

// Memory alone may say that the initialisation is done: by a static initialiser, or before the run.
bool is_done_in_memory(const pthread_once_t* control) { return seen(control) == kDone; }
bool is_done_in_memory(const char* guard) { return seen(guard) != 0; }

// True: the caller must initialise.
template <typename Word>
bool enter(const Word* word) {
  Thread& self = operating_thread();
  SyncObject& object = once_at(word);
  announce(self, HEDDLE_ONCE_ENTER, object.address, self.site);
  self.object = &object;
  take_turn_when(self, not_running);
  touch_object(word);
  if (object.type == kNew && is_done_in_memory(word)) object.type = kDone;
  const bool first = object.type == kNew;
  if (first) {
    object.type = kRunning;
    object.owner = &self;
  }
  record(self, first);
  note_change(self, object.address);
  return first;
}

void leave(SyncObject& object, bool done) {
  Thread& self = operating_thread();
  announce(self, HEDDLE_ONCE_DONE, object.address, self.site);
  take_turn(self);
  object.type = done ? kDone : kNew;
  object.owner = nullptr;
  record(self, 0, 0, done ? 0 : HEDDLE_FLAG_FAILED);
  note_change(self, object.address);
}

}  // namespace

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*initialise)()) {
  if (!modelled_object(control)) {
    if (*control != kDone) {
      *control = kDone;
      initialise();
    }
    return 0;
  }
  if (enter(control)) heddle_once_call(control, initialise);
  return 0;
}

void heddle_once_left(pthread_once_t* control, int done) {
  if (done) *control = kDone;
  leave(once_at(control), done);
}

// The C++ ABI's guards: byte 0 says "initialised".
HEDDLE_EXPORT int __cxa_guard_acquire(uint64_t* guard) {
  char* initialised = reinterpret_cast<char*>(guard);
  if (!modelled_object(guard)) return !*initialised;
  once_at(guard).limit = 1;
  return enter(initialised);
}

HEDDLE_EXPORT void __cxa_guard_release(uint64_t* guard) {
  if (!modelled_object(guard)) {
    *reinterpret_cast<char*>(guard) = 1;
    return;
  }
  once_at(guard).limit = 1;
  perform_store<uint8_t>(*g.current, guard, 1, HEDDLE_ORDER_RELEASE, g.current->site, HEDDLE_FLAG_MODEL);
  leave(once_at(guard), true);
}

HEDDLE_EXPORT void __cxa_guard_abort(uint64_t* guard) {
  if (modelled_object(guard)) leave(once_at(guard), false);
}
