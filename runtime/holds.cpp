// SPDX-License-Identifier: Apache-2.0
#include "holds.h"

#include "scheduler.h"
#include "strategy.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kNever = 0xffffffffu;
const HeddleStep* g_holds;

bool may_go_on(const Thread& thread) {
  return is_held(thread) && !thread.spinning && !thread.yielded && !waits_for_exit(thread) && could_go_on(thread);
}

// It asked others to go first, but they are held.
bool need_not_yield(const Thread& thread) {
  return !is_held(thread) && thread.yielded && !thread.spinning && !waits_for_exit(thread) && could_go_on(thread);
}

}  // namespace

void holds_begin(const HeddleRequest& request) {
  g_holds = g.steps + request.steps + request.avoided;
  g.holds = request.holds;
}

uint32_t hold_of(const Thread& thread) {
  for (uint32_t i = 0; i < g.holds; ++i)
    if (g_holds[i].name == thread.name) return g_holds[i].index;
  return kNever;
}

Thread* next_held() {
  Thread* start = g.current && !g.current->ended && g.current->next ? g.current->next : g.first;
  for (Thread* thread = g.first; thread; thread = thread->next)
    if (need_not_yield(*thread)) return thread;
  for (Thread* thread = start; thread; thread = thread->next)
    if (may_go_on(*thread)) return thread;
  for (Thread* thread = g.first; thread != start; thread = thread->next)
    if (may_go_on(*thread)) return thread;
  return nullptr;
}

}  // namespace heddle::rt
