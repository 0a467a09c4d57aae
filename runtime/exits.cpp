// SPDX-License-Identifier: Apache-2.0
#include "exits.h"

#include <stdlib.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "failure.h"
#include "private_state.h"
#include "real.h"
#include "scheduler.h"
#include "spin.h"

namespace heddle::rt {
namespace {

Stack<Destructor> g_at_exit;
Stack<Destructor> g_at_quick_exit;

void run_handlers(Stack<Destructor>& handlers) {
  while (handlers.count) {
    const Destructor handler = handlers.pop();
    handler.function(handler.object);
  }
}

// The operation that ends the process: no event of any thread follows it.
[[noreturn]] void leave_process(Thread& self, int code) {
  announce(self, HEDDLE_EXIT, 0, self.site);
  if (g.go_on) {
    take_turn_slowly(self);  // others may have to go first
  } else {
    take_turn(self);
  }
  record(self, static_cast<uint64_t>(code & 0xff));
  finish_run(HEDDLE_OUTCOME_EXIT, static_cast<uint64_t>(code & 0xff), nullptr);
}

void call_plain(void* function) { reinterpret_cast<void (*)()>(function)(); }

}  // namespace

void exit_program(Thread& self, int code) {
  if (!self.exiting) {
    self.exiting = true;
    self.cancel_disabled = true;
    while (self.thread_exit.count) {
      const Destructor destructor = self.thread_exit.pop();
      destructor.function(destructor.object);
    }
  }
  run_handlers(g_at_exit);
  __heddle_program_destructors();
  real.fflush(nullptr);
  leave_process(self, code);
}

void reset_exit_handlers() {
  g_at_exit.count = 0;
  g_at_quick_exit.count = 0;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* library) {
  find_real_functions();
  if (!modelled()) return real.cxa_atexit(function, argument, library);
  g_at_exit.push({function, argument});
  note_handler(*g.current, reinterpret_cast<uint64_t>(function), reinterpret_cast<uint64_t>(argument));
  return 0;
}

HEDDLE_EXPORT int atexit(void (*function)()) {
  return __cxa_atexit(call_plain, reinterpret_cast<void*>(function), nullptr);
}

HEDDLE_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void*) {
  g_at_quick_exit.push({function, nullptr});
  note_handler(*g.current, reinterpret_cast<uint64_t>(function), 1);
  return 0;
}

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void*) {
  g.current->thread_exit.push({function, object});
  note_handler(*g.current, reinterpret_cast<uint64_t>(function), reinterpret_cast<uint64_t>(object));
  return 0;
}

HEDDLE_EXPORT int __cxa_thread_atexit(void (*function)(void*), void* object, void* library) {
  return __cxa_thread_atexit_impl(function, object, library);
}

HEDDLE_EXPORT void exit(int code) {
  find_real_functions();
  if (!modelled()) real.exit_now(code);
  exit_program(*g.current, code);
}

HEDDLE_EXPORT void quick_exit(int code) {
  if (!modelled()) real.exit_now(code);
  run_handlers(g_at_quick_exit);
  leave_process(*g.current, code);
}

HEDDLE_EXPORT void _exit(int code) {
  find_real_functions();
  if (!modelled()) real.exit_now(code);
  leave_process(*g.current, code);
}

HEDDLE_EXPORT void _Exit(int code) { _exit(code); }
