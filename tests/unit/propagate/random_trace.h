// SPDX-License-Identifier: Apache-2.0
//
// The trace of a random run.
#pragma once

#include <cstdint>
#include <vector>

#include "random_run.h"
#include "trace/kinds.h"
#include "trace/trace.h"

namespace heddle::propagate {

inline constexpr uint64_t kGlobals = 0x10000, kLocks = 0x20000, kBarrier = 0x30000;

inline HeddleKind kind_of(Act act, bool is_reader_lock) {
  switch (act) {
    case Act::kCreate: return HEDDLE_THREAD_CREATE;
    case Act::kStart: return HEDDLE_THREAD_START;
    case Act::kEnd: return HEDDLE_THREAD_END;
    case Act::kJoin: return HEDDLE_THREAD_JOIN;
    case Act::kLock: return is_reader_lock ? HEDDLE_RWLOCK_WRITE : HEDDLE_MUTEX_LOCK;
    case Act::kLockShared: return HEDDLE_RWLOCK_READ;
    case Act::kUnlock: return is_reader_lock ? HEDDLE_RWLOCK_UNLOCK : HEDDLE_MUTEX_UNLOCK;
    case Act::kArrive: return HEDDLE_BARRIER_ARRIVE;
    case Act::kLeave: return HEDDLE_BARRIER_LEAVE;
    case Act::kLoad: return HEDDLE_LOAD;
    case Act::kStore: return HEDDLE_STORE;
    case Act::kExchange: return HEDDLE_RMW;
    case Act::kAllocate: return HEDDLE_ALLOC;
    case Act::kFree: return HEDDLE_FREE;
  }
  return HEDDLE_EVENT_NONE;
}

// As a controlled or a free run would write it down. Threads are numbered in the
// order of creation, which is that of the run.
inline trace::Trace trace_of(const RandomRun& run, bool is_free) {
  trace::Trace trace;
  trace.header.mode = is_free ? trace::Mode::kFree : trace::Mode::kControlled;
  trace.header.memory_model = "sc";
  trace.complete = true;
  trace.sites.emplace_back();
  trace.threads.push_back({});
  for (uint32_t i = 1; i < run.threads(); ++i) trace.threads.push_back({0, i - 1});
  std::vector<trace::Event> events;
  std::vector<uint32_t> next(run.threads(), 0);
  bool has_left = false;
  for (const Step& step : run.steps()) {
    trace::Event event{};
    HeddleRecord& record = event.record;
    record.kind = static_cast<uint8_t>(kind_of(step.act, step.object == 1));
    record.thread = step.thread;
    const bool is_access = step.act >= Act::kLoad && step.act <= Act::kExchange;
    if (is_access) record.size = static_cast<uint8_t>(step.size);
    if (step.address) record.address = step.address + step.offset;
    if (is_access && !step.address) record.address = kGlobals + 8 * step.object + step.offset;
    if (is_access) (step.act == Act::kExchange ? record.value2 : record.value) = step.value;
    if (step.act == Act::kAllocate) record.value = 16;
    if (step.act == Act::kCreate || step.act == Act::kJoin) record.value = step.object;
    if (step.act == Act::kLock || step.act == Act::kLockShared || step.act == Act::kUnlock)
      record.address = kLocks + 64 * step.object;
    if (step.act == Act::kArrive || step.act == Act::kLeave) record.address = kBarrier;
    if (step.act == Act::kLeave && !has_left) record.flags = HEDDLE_FLAG_SERIAL;
    has_left |= step.act == Act::kLeave;
    const trace::KindInfo* info = trace::find_kind(record.kind);
    record.index = trace::is_visible(record) ? next[record.thread]++ : next[record.thread];
    event.sequence = !is_free ? events.size() : info->synchronises ? events.size() + 1 : 0;
    events.push_back(event);
  }
  trace::Event exit{};
  exit.record.kind = HEDDLE_EXIT;
  exit.sequence = is_free ? events.size() + 1 : events.size();
  events.push_back(exit);
  if (is_free) {
    for (uint32_t thread = 0; thread < run.threads(); ++thread) {
      for (const trace::Event& event : events)
        if (event.record.thread == thread) trace.events.push_back(event);
    }
  } else {
    trace.events = events;
  }
  return trace;
}

}  // namespace heddle::propagate
