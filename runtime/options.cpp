// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "recorder.h"
#include "store_buffer.h"
#include "strategy.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostOptions = 256;
HeddleRecord g_options[kMostOptions];
uint32_t g_option_count;

struct AvoidedFlush {
  const Thread* thread;
  uint32_t index;
  uint64_t address;
  uint64_t size;
};
constexpr uint32_t kMostAvoided = 64;
AvoidedFlush g_flushes[kMostAvoided];
uint32_t g_flush_count;
uint32_t g_avoided_operations;
const HeddleStep* g_avoided;  // not looked at yet: they speak of the state after the last step
uint32_t g_avoided_count;

// Counted from the oldest; its size is 0 if it has left.
const BufferedStore& store_at(const Thread& thread, uint32_t place) {
  return thread.stores.items[thread.stores.first + place];
}

void add_option(const Thread& thread, uint32_t index, HeddleStepKind kind, uint8_t flags = 0) {
  if (g_option_count == kMostOptions) return raise_gap(thread, HEDDLE_GAP_OPTIONS_CUT, "");
  g_options[g_option_count++] =
      HeddleRecord{HEDDLE_FRAME_OPTION, 0, 0, flags, thread.number, index, 0, 0, static_cast<uint64_t>(kind), 0};
}

void add_operation(const Thread& thread) {
  if (is_ready(thread)) {
    if (!waits_for_exit(thread))
      add_option(thread, thread.index, HEDDLE_STEP_OP, thread.spinning ? HEDDLE_OPTION_WAITS_IN_LOOP : 0);
  } else if (can_time_out(thread)) {
    add_option(thread, thread.index, HEDDLE_STEP_TIMEOUT);
  }
}

bool overlap(uint64_t address, uint64_t size, uint64_t other, uint64_t other_size) {
  return address < other + (other_size ? other_size : 1) && other < address + (size ? size : 1);
}

void begin_avoiding() {
  for (; g_avoided_count; ++g_avoided, --g_avoided_count) {
    Thread* thread = g.by_name[g_avoided->name];
    if (!thread || thread->ended) continue;
    if (g_avoided->kind == HEDDLE_STEP_OP) {
      if (thread->index != g_avoided->index || thread->avoided) continue;
      thread->avoided = true;
      ++g_avoided_operations;
    } else if (const int64_t place = find_store(*thread, g_avoided->index);
               place >= 0 && g_flush_count < kMostAvoided) {
      const BufferedStore& store = store_at(*thread, static_cast<uint32_t>(place));
      g_flushes[g_flush_count++] = {thread, store.index, store.address, store.size};
    }
  }
  g.avoids = g_avoided_operations || g_flush_count;
}

}  // namespace

void options_begin(const HeddleRequest& request) {
  g.lists_options = request.flags & HEDDLE_REQUEST_OPTIONS;
  g.avoids = false;
  g_flush_count = g_avoided_operations = 0;
  g_avoided = g.steps + request.steps;
  g_avoided_count = request.avoided;
}

void list_options() {
  if (g_avoided_count) begin_avoiding();
  g_option_count = 0;
  const Thread* alone = g.atomic_owner && could_go_on(*g.atomic_owner) ? g.atomic_owner : nullptr;
  for (const Thread* thread = alone ? alone : g.first; thread; thread = alone ? nullptr : thread->next) {
    add_operation(*thread);
    if (!thread->buffered) continue;
    for (uint32_t place = 0; place < thread->stores.end - thread->stores.first; ++place)
      if (store_at(*thread, place).size && !why_not_flush(*thread, place))
        add_option(*thread, store_at(*thread, place).index, HEDDLE_STEP_FLUSH);
  }
  for (uint32_t i = 0; i < g_option_count; ++i) append(g_options[i]);
}

bool waits_at(const Thread& thread, const SyncObject* object) {
  if (thread.object != object || thread.woken) return false;
  return thread.pending.kind == HEDDLE_COND_RESUME || thread.pending.kind == HEDDLE_AWAIT_RESUME;
}

void list_waiters(const SyncObject* object, const Thread* chosen) {
  g_option_count = 0;
  for (const Thread* thread = g.first; thread; thread = thread->next)
    if (waits_at(*thread, object))
      add_option(*thread, thread->index, HEDDLE_STEP_WAKE, thread == chosen ? HEDDLE_OPTION_TAKEN : 0);
  for (uint32_t i = 0; i < g_option_count; ++i) append(g_options[i]);
}

bool is_flush_avoided(const Thread& thread, uint32_t place) {
  const uint32_t index = store_at(thread, place).index;
  for (uint32_t i = 0; i < g_flush_count; ++i)
    if (g_flushes[i].thread == &thread && g_flushes[i].index == index) return true;
  return false;
}

bool is_avoided(const Thread& thread) { return stores_allow(thread) ? thread.avoided : is_flush_avoided(thread, 0); }

void stop_avoiding(const Thread& self, uint8_t kind, uint64_t address, uint64_t size) {
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!thread->avoided) continue;
    const Operation& other = thread->pending;
    if (thread == &self && kind == HEDDLE_FLUSH) continue;  // its own store is what it would see anyway
    const bool both_read = kind == HEDDLE_LOAD && other.kind == HEDDLE_LOAD;
    if (thread != &self && (both_read || !overlap(address, size, other.address, other.size))) continue;
    thread->avoided = false;
    --g_avoided_operations;
  }
  for (uint32_t i = 0; i < g_flush_count;) {
    const bool same = overlap(address, size, g_flushes[i].address, g_flushes[i].size);
    if (same && g_flushes[i].thread != &self) {
      g_flushes[i] = g_flushes[--g_flush_count];
    } else {
      ++i;
    }
  }
  g.avoids = g_avoided_operations || g_flush_count;
}

}  // namespace heddle::rt
