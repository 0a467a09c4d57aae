// SPDX-License-Identifier: Apache-2.0
#include "program_threads.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unwind.h>

#include "carrier.h"
#include "cleanup.h"
#include "exits.h"
#include "failure.h"
#include "holds.h"
#include "pthread_keys.h"
#include "scheduler.h"
#include "slots.h"
#include "spin.h"
#include "store_buffer.h"
#include "strategy.h"

namespace heddle::rt {

Run g;

void* grown(const void* items, size_t item_size, uint32_t count, uint32_t& capacity) {
  capacity = capacity ? capacity * 2 : 16;
  void* moved = runtime_memory(capacity * item_size);
  if (count) memcpy(moved, items, count * item_size);
  return moved;
}

namespace {

constexpr uint32_t kMostThreads = kSlotCount;
constexpr uint64_t kStackReserve = 64 << 10;  // what the runtime itself may need at the end of a stack
Thread* g_unused;                             // linked by next

uint64_t handle_of(const Thread* parent, uint32_t child_number) {
  const uint64_t above = parent ? parent->handle : 0x6865646400;
  uint64_t value = (above ^ (child_number + 1)) * 0x9e3779b97f4a7c15;
  value ^= value >> 29;
  value *= 0xbf58476d1ce4e5b9;
  return ((value ^ (value >> 32)) & 0x0000fffffffffff0) | 0x1000000000000000;
}

uint32_t name_of(const Thread* parent, uint32_t child_number) {
  if (!parent) return 0;
  if (parent->name == kNoName) return kNoName;
  for (uint32_t i = 1; i < g.request->names; ++i)
    if (g.names[i].parent == parent->name && g.names[i].child_number == child_number) return i;
  return kNoName;
}

// Live threads are linked in the order of their names: a new child comes after
// all descendants of its parent.
void link_thread(Thread& thread) {
  ++g.live;
  Thread* parent = thread.parent;
  if (!parent) {
    thread.next = g.first;
    thread.previous = nullptr;
    if (g.first) g.first->previous = &thread;
    g.first = &thread;
    return;
  }
  Thread* before = nullptr;
  for (Thread* other = g.first; other; other = other->next) {
    // `other` is before the new thread if it is the parent, a descendant of it,
    // or precedes the parent; compare along the tree.
    const Thread* a = other;
    const Thread* b = &thread;
    while (a->depth > b->depth) a = a->parent;
    while (b->depth > a->depth) b = b->parent;
    const bool ancestor = a == b;
    bool lower = ancestor && other->depth < thread.depth;
    if (!ancestor) {
      while (a->parent != b->parent) a = a->parent, b = b->parent;
      lower = a->child_number < b->child_number;
    }
    if (!lower) break;
    before = other;
  }
  thread.previous = before;
  thread.next = before ? before->next : g.first;
  if (thread.next) thread.next->previous = &thread;
  if (before) {
    before->next = &thread;
  } else {
    g.first = &thread;
  }
}

void unlink_thread(Thread& thread) {
  --g.live;
  if (thread.previous) thread.previous->next = thread.next;
  if (!thread.previous) g.first = thread.next;
  if (thread.next) thread.next->previous = thread.previous;
}

void run_key_destructors(Thread& self);

}  // namespace

Thread* new_thread(Thread* parent, void* (*entry)(void*), void* argument, StackWish stack) {
  if (!g.threads) g.threads = static_cast<Thread**>(runtime_memory(kMostThreads * sizeof(Thread*)));
  const uint32_t child_number = parent ? parent->children : 0;
  if (g.thread_count == kMostThreads) return nullptr;
  Slot* slot = take_slot(parent, child_number, stack.memory ? 0 : stack.size);
  if (!slot) return nullptr;

  Thread* thread = g_unused;
  if (thread) {
    g_unused = thread->next;
    const Stack<Destructor> kept = thread->thread_exit;
    const Stack<Visit> visits = thread->visits;
    const uint32_t keys_used = thread->keys_used;
    memset(static_cast<void*>(thread), 0, offsetof(Thread, keys));
    memset(thread->keys, 0, keys_used * sizeof(void*));
    thread->keys_used = 0;
    thread->thread_exit = kept;
    thread->thread_exit.count = 0;
    thread->visits = visits;
    thread->visits.count = 0;
    reset_stores(thread->stores);
  } else {
    thread = static_cast<Thread*>(runtime_memory(sizeof(Thread)));
  }
  thread->parent = parent;
  thread->child_number = child_number;
  thread->depth = parent ? parent->depth + 1 : 0;
  thread->number = g.thread_count;
  thread->name = name_of(parent, child_number);
  thread->handle = handle_of(parent, child_number);
  thread->slot = slot;
  thread->stack_top = stack.memory ? static_cast<char*>(stack.memory) + stack.size : slot->stack_top();
  const uint64_t size = stack.memory ? stack.size : slot->stack_size;
  const uint64_t reserve = size / 8 < kStackReserve ? size / 8 : kStackReserve;
  thread->stack_limit = reinterpret_cast<uint64_t>(thread->stack_top) - size + reserve;
  thread->entry = entry;
  thread->argument = argument;
  if (!parent) strncpy(thread->label, program_invocation_short_name, sizeof thread->label - 1);
  thread->signals_blocked = parent ? parent->signals_blocked : 0;
  thread->pending.kind = HEDDLE_THREAD_START;
  if (parent) ++parent->children;
  g.threads[g.thread_count++] = thread;
  if (thread->name != kNoName) g.by_name[thread->name] = thread;
  thread->held_from = hold_of(*thread);
  link_thread(*thread);
  strategy_thread_created(*thread);
  append(HeddleRecord{HEDDLE_FRAME_THREAD, 0, 0, 0, thread->number, 0, 0, 0, parent ? parent->number : HEDDLE_NO_THREAD,
                      child_number});
  carrier_prepare(*thread);
  return thread;
}

namespace {

// Not inlined: it must not move the program's stack.
__attribute__((noinline)) void name_for_debugger(const Thread& thread) {
  Text name;
  add_thread_name(name, thread);
  prctl(PR_SET_NAME, name.c_str());
}

}  // namespace

void thread_main(Thread& self) {
  if (HEDDLE_UNLIKELY(g.request->flags & HEDDLE_REQUEST_TRAP)) name_for_debugger(self);
  if (self.parent) {
    announce(self, HEDDLE_THREAD_START, 0, 0);
    record(self, self.parent->number);
    note_progress(self);
  }
  end_thread(self, self.entry(self.argument));
}

namespace {

// The first thread may end before the others; the process then lives on, and ends with 0
// when all have ended. Who runs the exit handlers nobody says: here it is the first thread,
// which waits for the others as if it joined them.
void await_descendants(Thread& self, const Thread& parent) {
  for (uint32_t i = 0; i < g.thread_count; ++i) {
    Thread& other = *g.threads[i];
    if (other.parent != &parent) continue;
    announce(self, HEDDLE_THREAD_JOIN, 0, self.site);
    self.awaited = &other;
    take_turn_when(self, awaited_ended);
    record(self, other.number);
    note_progress(self);
    await_descendants(self, other);
  }
}

}  // namespace

void end_thread(Thread& self, void* result) {
  if (!self.exiting) {
    self.exiting = true;
    self.cancel_disabled = true;
    while (self.thread_exit.count) {
      const Destructor destructor = self.thread_exit.pop();
      destructor.function(destructor.object);
    }
    run_key_destructors(self);
  }
  if (!self.parent) {
    self.result = result;
    self.only_waits = true;
    note_change(self, self.handle);
    await_descendants(self, self);
    exit_program(self, 0);
  }
  announce(self, HEDDLE_THREAD_END, 0, 0);
  take_turn(self);
  self.result = result;
  record(self, reinterpret_cast<uint64_t>(result));
  note_change(self, self.handle);
  self.ended = true;
  unlink_thread(self);
  thread_leaves(self);
}

namespace {

void run_key_destructors(Thread& self) {
  constexpr int kRounds = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS
  for (int round = 0; round < kRounds; ++round) {
    bool again = false;
    for (uint32_t key = 0; key < self.keys_used; ++key) {
      void* value = self.keys[key];
      const KeyDestructor destructor = key_destructor(key);
      if (!value || !destructor) continue;
      self.keys[key] = nullptr;
      destructor(value);
      again = true;
    }
    if (!again) return;
  }
}

// Called for each frame on the way out: stops at C cleanup handlers, and at the
// end of the stack ends the thread.
_Unwind_Reason_Code unwind_step(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                _Unwind_Context* context, void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  if (self.cleanup &&
      (actions & _UA_END_OF_STACK || _Unwind_GetCFA(context) > reinterpret_cast<uint64_t>(self.cleanup)))
    run_cleanup_buffer(self);
  if (actions & _UA_END_OF_STACK) end_thread(self, self.result);
  return _URC_NO_REASON;
}

void unwound(_Unwind_Reason_Code, _Unwind_Exception*) {}

}  // namespace

void unwind_thread(Thread& self, void* result) {
  self.result = result;
  self.cancel_disabled = true;
  self.unwinding.exception_class = 0;
  self.unwinding.exception_cleanup = unwound;
  settle_stack(self);
  _Unwind_ForcedUnwind(&self.unwinding, unwind_step, &self);
  end_thread(self, self.result);
}

void cancellation_point(Thread& self) {
  if (!self.cancel_requested || self.cancel_disabled || self.exiting) return;
  self.cancelled = true;
  unwind_thread(self, PTHREAD_CANCELED);
}

uint64_t handle_of_next_child(const Thread& self) { return handle_of(&self, self.children); }

Thread* thread_with_handle(uint64_t handle) {
  for (uint32_t i = 0; i < g.thread_count; ++i)
    if (g.threads[i]->handle == handle) return g.threads[i];
  return nullptr;
}

void add_thread_name(Text& text, const Thread& thread) {
  if (!thread.parent) {
    text.add("T0");
    return;
  }
  add_thread_name(text, *thread.parent);
  text.add(".").add(uint64_t{thread.child_number});
}

void add_name(Text& text, uint32_t name) {
  if (name == 0) {
    text.add("T0");
    return;
  }
  add_name(text, g.names[name].parent);
  text.add(".").add(uint64_t{g.names[name].child_number});
}

void reset_threads() {
  for (uint32_t i = 0; i < g.thread_count; ++i) {
    g.threads[i]->next = g_unused;
    g_unused = g.threads[i];
  }
  g.thread_count = 0;
  g.live = 0;
  g.first = nullptr;
  g.current = nullptr;
}

}  // namespace heddle::rt
