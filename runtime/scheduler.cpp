// SPDX-License-Identifier: Apache-2.0
#include "scheduler.h"

#include "carrier.h"
#include "descriptors.h"
#include "failure.h"
#include "holds.h"
#include "program_threads.h"
#include "spin.h"
#include "store_buffer.h"
#include "strategy.h"
#include "support.h"
#include "sync_objects.h"

namespace heddle::rt {
namespace {

const char* why_not_ready(const Thread& thread) {
  if (thread.failed) return "this thread has failed";
  if (!stores_allow(thread))
    return thread.pending.kind == HEDDLE_LOAD ? "a store to a part of what it reads is still in its buffer"
                                              : "stores are still in the buffer of this thread";
  switch (thread.pending.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: return "the mutex is held";
    case HEDDLE_COND_RESUME: return thread.woken ? "the mutex is held" : "it was not signalled";
    case HEDDLE_THREAD_JOIN: return "the joined thread has not ended";
    case HEDDLE_AWAIT_RESUME: return "it was not notified";
    case HEDDLE_DESCRIPTOR_READ:
    case HEDDLE_DESCRIPTOR_WRITE:
    case HEDDLE_DESCRIPTOR_POLL:
    case HEDDLE_DESCRIPTOR_ACCEPT:
    case HEDDLE_DESCRIPTOR_CONNECT: return "its descriptor is not ready";
    default: return "it is blocked";
  }
}

[[noreturn]] void diverge(const HeddleStep& step, const char* why) {
  Text text;
  text.add("step ").add(uint64_t{g.step + 1}).add(" of ").add(uint64_t{g.step_count}).add(" (operation ");
  text.add(uint64_t{step.index}).add(" of ");
  add_name(text, step.name);
  text.add("): ").add(why);
  finish_run(HEDDLE_OUTCOME_DIVERGED, g.step, text.c_str());
}

Choice choose();

Choice follow_flush(const HeddleStep& step, Thread& thread) {
  const int64_t place = find_store(thread, step.index);
  if (place < 0)
    diverge(step, g.memory ? "this operation is no store in the buffer of its thread"
                           : "there is no buffered store under sequential consistency");
  if (const char* why = why_not_flush(thread, static_cast<uint32_t>(place))) diverge(step, why);
  ++g.step;
  return {&thread, Turn::kFlush, static_cast<uint32_t>(place)};
}

// The next step of the schedule, or the end of the run if it cannot be followed.
Choice follow_step() {
  const HeddleStep& step = g.steps[g.step];
  if (step.kind == HEDDLE_STEP_WAKE) diverge(step, "no signal precedes this choice of a waiter");
  Thread* thread = g.by_name[step.name];
  if (!thread) diverge(step, "this thread has not been created");
  if (step.kind == HEDDLE_STEP_FLUSH) return follow_flush(step, *thread);
  const bool follows_failure = thread->failed || thread->after_misuse == thread->index;
  if (follows_failure && step.kind == HEDDLE_STEP_OP && step.index + 1 == thread->index) {
    ++g.step;  // the failure itself: it took no turn
    return choose();
  }
  if (thread->ended) diverge(step, "this thread has ended");
  if (thread->index != step.index)
    diverge(step, thread->index > step.index ? "this thread is further on already" : "this thread has not come so far");
  if (thread->failed || !stores_allow(*thread)) diverge(step, why_not_ready(*thread));
  if (step.site && thread->pending.site != step.site) diverge(step, "the thread is about to do something else here");
  Turn turn = Turn::kNormal;
  if (step.kind == HEDDLE_STEP_TIMEOUT) {
    if (!thread->may_time_out) diverge(step, "this operation cannot time out");
    if (!can_time_out(*thread)) diverge(step, "this wait does not run out: it can end, or was woken");
    turn = Turn::kTimeout;
  } else if (step.kind == HEDDLE_STEP_SPURIOUS) {
    if (!thread->may_wake_spuriously) diverge(step, "this operation cannot wake spuriously");
    if (!can_wake_spuriously(*thread)) diverge(step, "this wait was woken for a reason");
    turn = Turn::kSpurious;
  } else if (!is_ready(*thread) && !comes_from_outside(*thread) &&
             !(thread->watch.is_watching && stores_allow(*thread))) {
    diverge(step, why_not_ready(*thread));
  }
  if (step.kind != HEDDLE_STEP_NONDET) ++g.step;  // a NONDET step is taken by choose_value
  return {thread, turn};
}

[[noreturn]] void nothing_can_happen() {
  Text text;
  uint32_t waiting = 0;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (waiting++) text.add("; ");
    add_thread_name(text, *thread);
    text.add(" ").add(describe_wait(*thread));
  }
  finish_run(somebody_watches() ? HEDDLE_OUTCOME_LIVELOCK : HEDDLE_OUTCOME_DEADLOCK, 0, text.c_str());
}

Choice choose() {
  if (g.step < g.step_count) return follow_step();
  if (HEDDLE_UNLIKELY(g.lists_options)) list_options();
  if (g.atomic_owner && could_go_on(*g.atomic_owner)) return go_on_with(*g.atomic_owner);
  Choice choice = choose_by_strategy();
  while (!choice.thread && wait_for_outside()) choice = choose_by_strategy();
  if (!choice.thread) nothing_can_happen();
  return choice;
}

// A thread that only waited for its stores goes on as soon as they are gone: what
// follows is no operation yet, so no step speaks of it.
bool has_settled(const Thread& thread) { return thread.pending.kind == HEDDLE_EVENT_NONE && stores_allow(thread); }

Thread& choose_next() {
  for (;;) {
    const Choice choice = choose();
    Thread& thread = *choice.thread;
    if (choice.turn == Turn::kFlush) {
      flush_store(thread, choice.store);
      if (!has_settled(thread)) continue;
    }
    thread.turn = choice.turn;
    thread.yielded = false;
    return thread;
  }
}

}  // namespace

bool could_go_on(const Thread& thread) {
  if (thread.failed) return false;
  if (!thread.ready || thread.ready(thread)) return true;
  return thread.may_be_cancelled && thread.cancel_requested && !thread.cancel_disabled;
}

bool is_ready(const Thread& thread) { return could_go_on(thread) && stores_allow(thread); }

const char* describe_wait(const Thread& thread) {
  if (thread.failed) return "has failed";
  if (thread.spinning || thread.watch.is_watching) return "waits in a loop";
  switch (thread.pending.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: return "waits for a mutex";
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_WRITE: return "waits for a reader-writer lock";
    case HEDDLE_COND_RESUME: return thread.woken ? "waits for the mutex of a condition" : "waits for a condition";
    case HEDDLE_BARRIER_LEAVE: return "waits at a barrier";
    case HEDDLE_SEM_WAIT: return "waits for a semaphore";
    case HEDDLE_ONCE_ENTER: return "waits for a one-time initialisation";
    case HEDDLE_THREAD_JOIN: return "waits for a thread to end";
    case HEDDLE_SIGNAL_WAIT: return "waits for a signal";
    case HEDDLE_AWAIT_RESUME: return "waits for a word to change";
    default: return "can go on";
  }
}

void take_turn_slowly(Thread& self) { take_turn_when(self, nullptr); }

Turn take_turn_when(Thread& self, Ready ready, bool may_time_out, bool may_wake_spuriously) {
  self.ready = ready;
  self.may_time_out = may_time_out;
  self.may_wake_spuriously = may_wake_spuriously;
  Thread& next = choose_next();
  if (&next != &self) {
    self.stack_pointer = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
    g.current = &next;
    carrier_switch(self, next);
  }
  self.ready = nullptr;
  self.may_time_out = self.may_wake_spuriously = self.may_be_cancelled = false;
  return self.turn;
}

void thread_leaves(Thread& self) {
  g.current = &choose_next();
  carrier_leave(self, *g.current);
}

void count_visit(Thread& self, uint32_t site) {
  if (!site) return;
  Visit* visit = self.visits.items;
  Visit* const end = visit + self.visits.count;
  while (visit != end && visit->site != site) ++visit;
  if (visit == end) {
    self.visits.push({site, 1});
    return;
  }
  if (++visit->count <= g.loop_bound) return;
  g.bound_reached = true;
  note_progress(self);
  self.pending.kind = HEDDLE_FAIL;
  self.failed = true;
  thread_leaves(self);
}

void stack_overflow(Thread& self) {
  self.stack_limit = 0;
  fail(HEDDLE_FAILURE_SIGNAL, reinterpret_cast<uint64_t>(__builtin_frame_address(0)), 11, "SIGSEGV: stack overflow");
}

void event_limit_reached() {
  finish_run(HEDDLE_OUTCOME_BOUND, g.events, "the limit of visible operations was reached");
}

Thread* choose_waiter(const SyncObject* object, uint32_t left) {
  Thread* chosen = nullptr;
  uint32_t waiting = 0;
  const HeddleStep* step = g.step < g.step_count ? &g.steps[g.step] : nullptr;
  const bool directed = step && step->kind == HEDDLE_STEP_WAKE;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!waits_at(*thread, object)) continue;
    ++waiting;
    if (directed) {
      if (g.by_name[step->name] == thread) chosen = thread;
    } else if (!chosen ||
               (g.strategy == HEDDLE_STRATEGY_RANDOM && g.step >= g.step_count ? next_random() % waiting == 0
                                                                               : thread->ticket < chosen->ticket)) {
      chosen = thread;
    }
  }
  if (directed) {
    if (!chosen) diverge(*step, "the thread to wake does not wait here");
    ++g.step;
  } else if (HEDDLE_UNLIKELY(g.lists_options) && waiting > left) {
    list_waiters(object, chosen);
  }
  return chosen;
}

int64_t choose_value(Thread& self, int64_t lowest, int64_t highest) {
  if (g.step < g.step_count) {
    const HeddleStep& step = g.steps[g.step];
    if (step.kind == HEDDLE_STEP_NONDET && g.by_name[step.name] == &self && step.index == self.index) {
      const int64_t value = static_cast<int64_t>(step.value);
      if (value < lowest || value > highest) diverge(step, "the chosen value is out of range");
      ++g.step;
      return value;
    }
  }
  if (g.strategy == HEDDLE_STRATEGY_DEFAULT) return lowest;
  const uint64_t span = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest) + 1;
  return lowest + static_cast<int64_t>(span ? next_random() % span : next_random());
}

void scheduler_begin(const HeddleRequest& request) {
  g.request = &request;
  g.names = reinterpret_cast<const HeddleName*>(&request + 1);
  g.steps = reinterpret_cast<const HeddleStep*>(g.names + request.names);
  g.step_count = request.steps;
  g.step = 0;
  g.events = 0;
  g.event_limit = request.event_limit;
  g.idle = 0;
  g.idle_limit = request.idle_limit ? request.idle_limit : 100000;
  g.tickets = 0;
  g.clock = 0;
  g.spinners = 0;
  g.spin_after = request.flags & HEDDLE_REQUEST_PATIENT ? kPatientAfter : kSpinAfter;
  g.memory = request.memory;
  g.buffered = 0;
  g.atomic_owner = nullptr;
  g.go_on = request.flags & HEDDLE_REQUEST_GO_ON;
  g.pure_waits = request.flags & HEDDLE_REQUEST_PURE_WAITS;
  g.tells_states = request.flags & HEDDLE_REQUEST_STATES;
  g.loop_bound = request.loop_bound;
  g.bound_reached = false;
  g.failed = g.process_broken = false;
  options_begin(request);
  holds_begin(request);
  strategy_begin(request);
}

}  // namespace heddle::rt
