// SPDX-License-Identifier: Apache-2.0
#include "check/footprint.h"

#include <algorithm>

#include "causal/operation.h"

namespace heddle::check {

using causal::EventId;
using Space = Touch::Space;

Footprint Footprints::of(const RunPoint& point) const {
  Footprint footprint;
  footprint.process = point.process;
  if (point.process.is_flush()) {
    const HeddleRecord& store = execution_.operation(execution_.order[point.at].event);
    footprint.touches.push_back({Space::kMemory, true, store.address, store.size});
    footprint.is_access = true;
    return footprint;
  }
  footprint.index = execution_.order[point.at].event.index;
  EventId last = execution_.order[point.at].event;
  for (size_t at = point.at; at < point.end; ++at) {
    const causal::Happening& happening = execution_.order[at];
    if (happening.is_flush) continue;
    add(happening.event, execution_.operation(happening.event), footprint);
    last = happening.event;
  }
  add_arrival({last.thread, last.index + 1}, footprint);
  return footprint;
}

// Whether an object of synchronisation is still there is looked at when a thread comes to a use of it.
void Footprints::add_arrival(EventId next, Footprint& footprint) const {
  uint8_t kind = HEDDLE_EVENT_NONE;
  uint64_t address = 0;
  if (next.index < execution_.length(next.thread)) {
    kind = execution_.operation(next).kind;
    address = execution_.operation(next).address;
  } else {
    for (const causal::Waiting& waiting : execution_.waiting) {
      if (waiting.thread != next.thread) continue;
      kind = static_cast<uint8_t>(waiting.record.value2);
      address = waiting.record.address;
    }
  }
  if (causal::uses_object(kind)) footprint.touches.push_back({Space::kLife, false, address, 1});
}

Footprint Footprints::of(const causal::Waiting& waiting) const {
  Footprint footprint;
  footprint.process = {waiting.thread, Process::kThread};
  HeddleRecord operation = waiting.record;
  operation.kind = static_cast<uint8_t>(waiting.record.value2);
  operation.value = 0;
  if (operation.kind == HEDDLE_THREAD_JOIN || operation.kind == HEDDLE_EXIT || operation.kind == HEDDLE_EVENT_NONE)
    return footprint;  // nothing that others do differently lets it happen earlier
  add({waiting.thread, execution_.length(waiting.thread)}, operation, footprint);
  return footprint;
}

void Footprints::add(EventId event, const HeddleRecord& operation, Footprint& footprint) const {
  const auto touch = [&](Space space, bool writes, uint64_t address, uint64_t size = 1) {
    footprint.touches.push_back({space, writes, address, size});
  };
  footprint.drains_buffer |= model_ != schedule::MemoryModel::kSc && causal::drains_buffer(operation);
  if (operation.kind == HEDDLE_THREAD_JOIN && !(operation.flags & (HEDDLE_FLAG_TIMED | HEDDLE_FLAG_CANCELLED)))
    footprint.joined = static_cast<causal::ThreadId>(operation.value);
  footprint.follows_thread |= operation.kind == HEDDLE_THREAD_START || operation.kind == HEDDLE_THREAD_JOIN;
  switch (operation.kind) {
    case HEDDLE_LOAD:
      touch(Space::kMemory, false, operation.address, operation.size);
      footprint.is_access = true;
      return;
    case HEDDLE_STORE:
      touch(Space::kLife, false, operation.address, operation.size);
      if (!causal::is_buffered(operation, model_)) {
        touch(Space::kMemory, true, operation.address, operation.size);
        footprint.is_access = true;
      }
      return;
    case HEDDLE_RMW:
    case HEDDLE_CAS:
      touch(Space::kMemory, !causal::failed(operation), operation.address, operation.size);
      footprint.is_access = true;
      return;
    case HEDDLE_FREE: {
      const uint64_t size = block_size(operation.address);
      touch(Space::kMemory, true, operation.address, size);
      touch(Space::kLife, true, operation.address, size);
      if (reuses_addresses_) touch(Space::kHeap, true, 0);
      return;
    }
    case HEDDLE_ALLOC:
      if (!reuses_addresses_) return;
      touch(Space::kHeap, true, 0);
      if (!operation.address) return;                                   // there is none, or not yet
      touch(Space::kMemory, true, operation.address, operation.value);  // whoever comes earlier finds it released
      touch(Space::kLife, true, operation.address, operation.value);
      return;
    case HEDDLE_FENCE:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_ASSUME:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK:
    case HEDDLE_EXIT: return;
    case HEDDLE_FAIL:  // perhaps an access to released memory, or a misuse of an object
      touch(Space::kMemory, true, operation.address, 8);
      touch(Space::kLife, true, operation.address, 8);
      return;
    case HEDDLE_THREAD_CREATE:
    case HEDDLE_THREAD_JOIN:
    case HEDDLE_THREAD_DETACH: touch(Space::kThread, true, operation.value); return;
    case HEDDLE_THREAD_START:
    case HEDDLE_THREAD_END: touch(Space::kThread, true, event.thread); return;
    case HEDDLE_MUTEX_LOCK:
      footprint.takes_mutex = operation.value <= 1;  // not again by the thread that holds it
      touch(Space::kMemory, true, operation.address);
      return;
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_DESTROY:
    case HEDDLE_COND_DESTROY:
    case HEDDLE_BARRIER_DESTROY:
    case HEDDLE_SEM_DESTROY:
      touch(Space::kMemory, true, operation.address);
      touch(Space::kLife, true, operation.address);
      return;
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_MUTEX_INIT:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:
    case HEDDLE_RWLOCK_INIT:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE:
    case HEDDLE_RWLOCK_UNLOCK:
    case HEDDLE_COND_INIT:
    case HEDDLE_COND_LEAVE:
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_COND_BROADCAST:
    case HEDDLE_BARRIER_INIT:
    case HEDDLE_BARRIER_ARRIVE:
    case HEDDLE_BARRIER_LEAVE:
    case HEDDLE_SEM_INIT:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT:
    case HEDDLE_SEM_POST:
    case HEDDLE_SEM_GETVALUE:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_ONCE_DONE: touch(Space::kMemory, true, operation.address); return;
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD: touch(Space::kMemory, false, operation.address); return;
    case HEDDLE_COND_WAIT:
    case HEDDLE_COND_RESUME: add_condition(event, operation, footprint); return;
    case HEDDLE_AWAIT:
    case HEDDLE_AWAIT_RESUME:
    case HEDDLE_NOTIFY: touch(Space::kMemory, true, operation.address, 4); return;
    case HEDDLE_SIGNAL_SEND:
    case HEDDLE_SIGNAL_WAIT:
    case HEDDLE_DESCRIPTOR_READ:
    case HEDDLE_DESCRIPTOR_WRITE:
    case HEDDLE_DESCRIPTOR_POLL:
    case HEDDLE_DESCRIPTOR_ACCEPT:
    case HEDDLE_DESCRIPTOR_CONNECT: touch(Space::kOutside, true, 0); return;
    default: footprint.everything = true; return;
  }
}

// The condition and its mutex, which the wait names.
void Footprints::add_condition(EventId event, const HeddleRecord& operation, Footprint& footprint) const {
  uint64_t mutex = operation.value;
  for (uint32_t i = event.index; operation.kind == HEDDLE_COND_RESUME && i--;) {
    const HeddleRecord& before = execution_.operation({event.thread, i});
    if (before.kind != HEDDLE_COND_WAIT) continue;
    mutex = before.value;
    break;
  }
  footprint.touches.push_back({Space::kMemory, true, operation.address, 1});
  footprint.touches.push_back({Space::kMemory, true, mutex, 1});
}

uint64_t Footprints::block_size(uint64_t address) const {
  uint64_t size = 1;  // memory that is used again may have had several
  for (const causal::ThreadPart& part : execution_.threads)
    for (const HeddleRecord& operation : part.operations)
      if (operation.kind == HEDDLE_ALLOC && operation.address == address) size = std::max(size, operation.value);
  return size;
}

namespace {

bool overlap(const Touch& one, const Touch& other) {
  return one.space == other.space && one.address < other.address + other.size && other.address < one.address + one.size;
}

}  // namespace

bool are_dependent(const Footprint& one, const Footprint& other) {
  if (one.process == other.process || one.everything || other.everything) return true;
  if (one.process.thread == other.process.thread && one.process.is_flush() != other.process.is_flush())
    return one.process.is_flush() ? one.process.store == other.index : other.process.store == one.index;
  for (const Touch& touch : one.touches)
    for (const Touch& other_touch : other.touches)
      if ((touch.writes || other_touch.writes) && overlap(touch, other_touch)) return true;
  return false;
}

bool overlap(const Footprint& one, const Footprint& other) {
  for (const Touch& touch : one.touches)
    for (const Touch& other_touch : other.touches)
      if (overlap(touch, other_touch)) return true;
  return false;
}

bool can_be_swapped(const Footprint& earlier, const Footprint& later) {
  return (earlier.is_access && later.is_access) || (earlier.takes_mutex && later.takes_mutex);
}

}  // namespace heddle::check
