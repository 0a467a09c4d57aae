// SPDX-License-Identifier: Apache-2.0
//
// Threads of the program: creation, names, and the way from entry to end.
#pragma once

#include "state.h"
#include "support.h"

namespace heddle::rt {

// A stack as the program asked for it: its own memory, or only a size.
struct StackWish {
  void* memory;
  uint64_t size;
};

// A new thread, child of `parent` (null: T0), recorded and ready to be switched
// to. Null when no more threads fit.
Thread* new_thread(Thread* parent, void* (*entry)(void*), void* argument, StackWish stack);

// Everything that happens on a thread of the program, from its first event to
// its last. Does not return.
[[noreturn]] void thread_main(Thread& self);

// Runs destructors and ends the calling thread.
[[noreturn]] void end_thread(Thread& self, void* result);

// For those who join it.
inline bool has_ended(const Thread& thread) { return thread.ended || thread.only_waits; }
inline bool awaited_ended(const Thread& thread) { return has_ended(*thread.awaited); }

// Ends the calling thread as pthread_exit does: unwinds its stack first.
[[noreturn]] void unwind_thread(Thread& self, void* result);

// The pthread_t that the next thread created by this one will have.
uint64_t handle_of_next_child(const Thread& self);

// The thread with this pthread_t, or null.
Thread* thread_with_handle(uint64_t handle);

// Acts on a pending request to cancel the calling thread, if it may.
void cancellation_point(Thread& self);

void add_thread_name(Text& text, const Thread& thread);
void add_name(Text& text, uint32_t name);  // of the request's table

// Forgets the threads of the last run.
void reset_threads();

}  // namespace heddle::rt
