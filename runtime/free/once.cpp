// SPDX-License-Identifier: Apache-2.0
//
// One-time initialisation in a free run: pthread_once (under call_once and
// std::call_once) and the guards of function statics. Who initialises enters
// before and is done before others can see it; who finds it done enters after.
#include <pthread.h>

#include "once_call.h"
#include "sync.h"

using namespace heddle::free_run;

extern "C" int __cxa_guard_acquire(uint64_t* guard);
extern "C" void __cxa_guard_release(uint64_t* guard);
extern "C" void __cxa_guard_abort(uint64_t* guard);

namespace {

// pthread_once calls a function without arguments; this is what it is about.
struct Once {
  pthread_once_t* control;
  void (*initialise)();
  bool entered;
};
__thread Once* g_once;

void initialise_once() {
  Once& once = *g_once;  // initialise() may come to another one
  once.entered = true;
  log_sync(HEDDLE_ONCE_ENTER, once.control, 1);
  heddle_once_call(once.control, once.initialise);
}

}  // namespace

void heddle_once_left(pthread_once_t* control, int done) {
  log_sync(HEDDLE_ONCE_DONE, control, 0, done ? 0 : HEDDLE_FLAG_FAILED);
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*initialise)()) {
  HEDDLE_REAL(pthread_once);
  if (!running()) return real_pthread_once(control, initialise);
  Once once = {control, initialise, false};
  g_once = &once;
  const int error = real_pthread_once(control, initialise_once);
  if (!once.entered) log_sync(HEDDLE_ONCE_ENTER, control, 0);
  return error;
}

HEDDLE_EXPORT int __cxa_guard_acquire(uint64_t* guard) {
  HEDDLE_REAL(__cxa_guard_acquire);
  const int first = real___cxa_guard_acquire(guard);
  if (running()) log_sync(HEDDLE_ONCE_ENTER, guard, static_cast<uint64_t>(first));
  return first;
}

HEDDLE_EXPORT void __cxa_guard_release(uint64_t* guard) {
  HEDDLE_REAL(__cxa_guard_release);
  if (running()) log_sync(HEDDLE_ONCE_DONE, guard);
  real___cxa_guard_release(guard);
}

HEDDLE_EXPORT void __cxa_guard_abort(uint64_t* guard) {
  HEDDLE_REAL(__cxa_guard_abort);
  if (running()) log_sync(HEDDLE_ONCE_DONE, guard, 0, HEDDLE_FLAG_FAILED);
  real___cxa_guard_abort(guard);
}
