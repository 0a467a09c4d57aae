// SPDX-License-Identifier: Apache-2.0
#include "strategy.h"

#include "failure.h"
#include "scheduler.h"
#include "spin.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostChanges = 64;
uint64_t g_changes[kMostChanges];  // PCT: at which events the priority drops, ascending
uint32_t g_change_count;

// A thread that only waits for a change, or asked others to go first, runs when
// nobody else can.
bool prefers_others(const Thread& thread) { return thread.spinning || thread.yielded; }

// Nobody wants to go on: threads that wait by looping or yielding go round in
// turn, so that each sees what the others did; then the first timed wait runs
// out. Loops that never see a change end the run.
Choice choose_idle() {
  constexpr uint64_t kRoundsBeforeTimeout = 100;
  Thread* start = g.current && !g.current->ended && g.current->next ? g.current->next : g.first;
  Thread* looping = nullptr;
  for (Thread* thread = start; thread && !looping; thread = thread->next)
    if (is_ready(*thread)) looping = thread;
  for (Thread* thread = g.first; thread != start && !looping; thread = thread->next)
    if (is_ready(*thread)) looping = thread;
  Thread* timed = nullptr;
  for (Thread* thread = g.first; thread && !timed; thread = thread->next)
    if (thread->may_time_out) timed = thread;
  if (timed && (!looping || g.idle > kRoundsBeforeTimeout)) return {timed, Turn::kTimeout};
  if (looping && g.idle > g.idle_limit)
    finish_run(HEDDLE_OUTCOME_LIVELOCK, g.idle,
               "every thread is blocked or waits in a loop for a change that nobody makes");
  return {looping, Turn::kNormal};
}

Choice choose_default() {
  Thread* current = g.current;
  if (current && !current->ended && !prefers_others(*current) && is_ready(*current)) return {current, Turn::kNormal};
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (!prefers_others(*thread) && is_ready(*thread)) return {thread, Turn::kNormal};
  return choose_idle();
}

Choice choose_random() {
  const bool time_outs = g.request->flags & HEDDLE_REQUEST_TIMEOUTS;
  const bool spurious = g.request->flags & HEDDLE_REQUEST_SPURIOUS;
  Choice chosen = {nullptr, Turn::kNormal};
  uint64_t candidates = 0;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (is_ready(*thread)) {
      if (thread->spinning) continue;
      if (next_random() % ++candidates == 0) chosen = {thread, Turn::kNormal};
      continue;
    }
    if (thread->may_time_out && time_outs && next_random() % ++candidates == 0) chosen = {thread, Turn::kTimeout};
    if (thread->may_wake_spuriously && spurious && next_random() % ++candidates == 0)
      chosen = {thread, Turn::kSpurious};
  }
  return chosen.thread ? chosen : choose_idle();
}

Choice choose_pct() {
  while (g.next_change < g_change_count && g.events >= g_changes[g.next_change]) {
    if (g.current) g.current->priority = -1 - static_cast<int>(g.next_change);
    ++g.next_change;
  }
  Thread* best = nullptr;
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (!prefers_others(*thread) && is_ready(*thread) && (!best || thread->priority > best->priority)) best = thread;
  return best ? Choice{best, Turn::kNormal} : choose_idle();
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
  if (g.strategy == HEDDLE_STRATEGY_PCT) thread.priority = static_cast<int>(next_random() >> 34);
}

Choice choose_by_strategy() {
  switch (g.strategy) {
    case HEDDLE_STRATEGY_RANDOM: return choose_random();
    case HEDDLE_STRATEGY_PCT: return choose_pct();
    default: return choose_default();
  }
}

}  // namespace heddle::rt
