// SPDX-License-Identifier: Apache-2.0
#include "strategy.h"

#include "failure.h"
#include "holds.h"
#include "scheduler.h"
#include "spin.h"
#include "store_buffer.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostChanges = 64;
uint64_t g_changes[kMostChanges];  // PCT: at which events the priority drops, ascending
uint32_t g_change_count;

// A thread that only waits for a change, or asked others to go first, runs when
// nobody else can. So does one that is about to end the run while others are
// to go on as far as they can, one whose operation is put off, and one that is held.
bool prefers_others(const Thread& thread) {
  return thread.spinning || thread.yielded || waits_for_exit(thread) ||
         (HEDDLE_UNLIKELY(g.avoids) && is_avoided(thread)) || is_held(thread);
}

Thread* first_with_stores() {
  Thread* thread = g.first;
  while (thread && !thread->buffered) thread = thread->next;
  return thread;
}

// Nobody wants to go on, but for those that are held. Else stores that somebody may wait for leave their buffers;
// threads that wait by looping or yielding go round in turn, so that each sees
// what the others did; then the first timed wait runs out. Loops that never see
// a change end the run.
Choice choose_idle() {
  constexpr uint64_t kRoundsBeforeTimeout = 100;
  if (HEDDLE_UNLIKELY(g.holds))
    if (Thread* held = next_held()) return go_on_with(*held);
  Thread* start = g.current && !g.current->ended && g.current->next ? g.current->next : g.first;
  const auto may_loop = [](const Thread& thread) { return could_go_on(thread) && !waits_for_exit(thread); };
  Thread* looping = nullptr;
  for (Thread* thread = start; thread && !looping; thread = thread->next)
    if (may_loop(*thread)) looping = thread;
  for (Thread* thread = g.first; thread != start && !looping; thread = thread->next)
    if (may_loop(*thread)) looping = thread;
  const bool tired = g.idle > kRoundsBeforeTimeout;
  if (HEDDLE_UNLIKELY(g.buffered) && (!looping || looping->spinning || tired))
    return {first_with_stores(), Turn::kFlush};
  Thread *timed = nullptr, *exiting = nullptr;
  for (Thread* thread = g.first; thread && !timed; thread = thread->next)
    if (can_time_out(*thread)) timed = thread;
  if (timed && (!looping || tired)) return {timed, Turn::kTimeout};
  if (looping && g.idle <= g.idle_limit) return go_on_with(*looping);
  if (HEDDLE_UNLIKELY(g.pure_waits) && !looping) {
    if (Thread* thread = last_look()) return go_on_with(*thread);
  }
  for (Thread* thread = g.first; thread && !exiting; thread = thread->next)
    if (waits_for_exit(*thread) && could_go_on(*thread)) exiting = thread;
  if (exiting) return {exiting, Turn::kNormal};
  if (looping)
    finish_run(HEDDLE_OUTCOME_LIVELOCK, g.idle,
               "every thread is blocked or waits in a loop for a change that nobody makes");
  return {nullptr, Turn::kNormal};
}

Choice choose_default() {
  Thread* current = g.current;
  if (current && !current->ended && !prefers_others(*current) && could_go_on(*current)) return go_on_with(*current);
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (!prefers_others(*thread) && could_go_on(*thread)) return go_on_with(*thread);
  if (HEDDLE_UNLIKELY(g.avoids && g.buffered))
    for (Thread* thread = g.first; thread; thread = thread->next)
      if (thread->buffered && !is_flush_avoided(*thread, 0)) return {thread, Turn::kFlush};
  return choose_idle();
}

Choice choose_random() {
  const bool time_outs = g.request->flags & HEDDLE_REQUEST_TIMEOUTS;
  const bool spurious = g.request->flags & HEDDLE_REQUEST_SPURIOUS;
  Choice chosen = {nullptr, Turn::kNormal};
  uint64_t candidates = 0;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (HEDDLE_UNLIKELY(thread->buffered) && next_random() % ++candidates == 0) chosen = {thread, Turn::kFlush};
    if (thread->failed || !stores_allow(*thread)) continue;
    if (could_go_on(*thread)) {
      if (thread->spinning || waits_for_exit(*thread)) continue;
      if (next_random() % ++candidates == 0) chosen = {thread, Turn::kNormal};
      continue;
    }
    if (time_outs && can_time_out(*thread) && next_random() % ++candidates == 0) chosen = {thread, Turn::kTimeout};
    if (spurious && can_wake_spuriously(*thread) && next_random() % ++candidates == 0)
      chosen = {thread, Turn::kSpurious};
  }
  if (chosen.turn == Turn::kFlush) chosen.store = random_store(*chosen.thread);
  return chosen.thread ? chosen : choose_idle();
}

// The current thread, or its store buffer, falls behind all others.
void drop_priority() {
  const int lowest = -1 - static_cast<int>(g.next_change);
  if (!g.current) return;
  (g.memory && next_random() % 2 ? g.current->flush_priority : g.current->priority) = lowest;
}

Choice choose_pct() {
  for (; g.next_change < g_change_count && g.events >= g_changes[g.next_change]; ++g.next_change) drop_priority();
  Choice best = {nullptr, Turn::kNormal};
  int priority = 0;
  const auto offer = [&](const Choice& choice, int offered) {
    if (best.thread && offered <= priority) return;
    best = choice;
    priority = offered;
  };
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (HEDDLE_UNLIKELY(thread->buffered)) offer({thread, Turn::kFlush, random_store(*thread)}, thread->flush_priority);
    if (!prefers_others(*thread) && could_go_on(*thread)) offer(go_on_with(*thread), thread->priority);
  }
  return best.thread ? best : choose_idle();
}

}  // namespace

uint64_t next_random() {  // splitmix64
  uint64_t value = (g.random += 0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

void strategy_begin(const HeddleRequest& request) {
  g.strategy = request.strategy;
  g.random = request.seed * 0x2545f4914f6cdd1d + 0x9e3779b97f4a7c15;
  g.next_change = 0;
  g_change_count = 0;
  if (request.strategy != HEDDLE_STRATEGY_PCT) return;
  g_change_count = request.pct_changes < kMostChanges ? request.pct_changes : kMostChanges;
  const uint64_t length = request.pct_length ? request.pct_length : 1;
  for (uint32_t i = 0; i < g_change_count; ++i) {  // insertion keeps them ascending
    const uint64_t at = 1 + next_random() % length;
    uint32_t place = i;
    while (place && g_changes[place - 1] > at) g_changes[place] = g_changes[place - 1], --place;
    g_changes[place] = at;
  }
}

void strategy_thread_created(Thread& thread) {
  if (g.strategy != HEDDLE_STRATEGY_PCT) return;
  thread.priority = static_cast<int>(next_random() >> 34);
  if (g.memory) thread.flush_priority = static_cast<int>(next_random() >> 34);
}

namespace {

bool only_waits(const Thread& thread) {
  const uint8_t kind = thread.pending.kind;
  const bool woken = thread.woken && (kind == HEDDLE_COND_RESUME || kind == HEDDLE_AWAIT_RESUME);
  return !thread.failed && !woken && !could_go_on(thread) && stores_allow(thread);
}

}  // namespace

bool can_time_out(const Thread& thread) { return thread.may_time_out && only_waits(thread); }
bool can_wake_spuriously(const Thread& thread) { return thread.may_wake_spuriously && only_waits(thread); }

// A thread whose assumption fails ends the run as well. What others would have done
// may be what makes the assumption hold in another order, so they go on first.
bool waits_for_exit(const Thread& thread) {
  return g.go_on && (thread.pending.kind == HEDDLE_EXIT || thread.pending.kind == HEDDLE_ASSUME);
}

Choice go_on_with(Thread& thread) { return {&thread, stores_allow(thread) ? Turn::kNormal : Turn::kFlush}; }

Choice choose_by_strategy() {
  switch (g.strategy) {
    case HEDDLE_STRATEGY_RANDOM: return choose_random();
    case HEDDLE_STRATEGY_PCT: return choose_pct();
    default: return choose_default();
  }
}

}  // namespace heddle::rt
