// SPDX-License-Identifier: Apache-2.0
#include "check/footprint.h"

#include <algorithm>

#include "causal/operation.h"
#include "semantics/rwlock.h"

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
  for (size_t at = point.at; at < point.end; ++at) {
    const causal::Happening& happening = execution_.order[at];
    if (happening.is_flush) continue;
    add(happening.event, execution_.operation(happening.event), footprint);
    add_ends_of_locals(happening.event, footprint);
  }
  return footprint;
}

// Before its next operation, the thread leaves functions: whoever accesses their locals after that fails.
void Footprints::add_ends_of_locals(EventId event, Footprint& footprint) const {
  const EventId next = {event.thread, event.index + 1};
  const auto is_earlier = [](const causal::LocalEnd& end, EventId wanted) { return end.before < wanted; };
  for (auto end = std::lower_bound(execution_.local_ends.begin(), execution_.local_ends.end(), next, is_earlier);
       end != execution_.local_ends.end() && end->before == next; ++end) {
    footprint.touches.push_back({Space::kMemory, true, end->address, end->size});
    footprint.touches.push_back({Space::kLife, true, end->address, end->size});
    footprint.is_access = false;  // the order of the two decides whether there is a failure
  }
}

Footprint Footprints::of(const causal::Waiting& waiting) const {
  Footprint footprint;
  footprint.process = {waiting.thread, Process::kThread};
  HeddleRecord operation = waiting.record;
  operation.kind = static_cast<uint8_t>(waiting.record.value2);
  operation.value = 0;
  operation.value2 = type_at(operation.address);
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
  switch (semantics::family_of(operation)) {
    case HEDDLE_FAMILY_MEMORY:
    case HEDDLE_FAMILY_HEAP: return add_memory(operation, footprint);
    case HEDDLE_FAMILY_THREAD: return add_thread(event, operation, footprint);
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK:
    case HEDDLE_FAMILY_CONDITION:
    case HEDDLE_FAMILY_BARRIER:
    case HEDDLE_FAMILY_SEMAPHORE:
    case HEDDLE_FAMILY_ONCE:
    case HEDDLE_FAMILY_WORD: return add_object(event, operation, footprint);
    case HEDDLE_FAMILY_SIGNAL:
    case HEDDLE_FAMILY_DESCRIPTOR: touch(Space::kOutside, true, 0); return;
    case HEDDLE_FAMILY_TIME: return;
    case HEDDLE_FAMILY_PROGRAM:
      footprint.everything |= operation.kind == HEDDLE_ATOMIC_BEGIN || operation.kind == HEDDLE_ATOMIC_END;
      return;
    case HEDDLE_FAMILY_END:
      if (operation.kind == HEDDLE_EXIT || causal::tells_misuse(operation)) return;
      touch(Space::kMemory, true, operation.address, 8);  // perhaps an access to released memory
      touch(Space::kLife, true, operation.address, 8);
      return;
    case HEDDLE_FAMILY_NONE:
    case HEDDLE_FAMILY_EXTERN: footprint.everything = true; return;
  }
}

void Footprints::add_memory(const HeddleRecord& operation, Footprint& footprint) const {
  const auto touch = [&](Space space, bool writes, uint64_t address, uint64_t size = 1) {
    footprint.touches.push_back({space, writes, address, size});
  };
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
    default: return;  // fences
  }
}

void Footprints::add_thread(EventId event, const HeddleRecord& operation, Footprint& footprint) const {
  const auto touch = [&](uint64_t thread) { footprint.touches.push_back({Space::kThread, true, thread, 1}); };
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_START: footprint.follows_thread = true; [[fallthrough]];
    case HEDDLE_EFFECT_END: touch(event.thread); return;
    case HEDDLE_EFFECT_JOIN:
      footprint.follows_thread = !semantics::gave_up(operation);
      if (!semantics::gave_up(operation) && !(operation.flags & HEDDLE_FLAG_TIMED))
        footprint.joined = static_cast<causal::ThreadId>(operation.value);
      [[fallthrough]];
    case HEDDLE_EFFECT_CREATE:
    case HEDDLE_EFFECT_DETACH: touch(operation.value); return;
    default: footprint.everything = true; return;
  }
}

void Footprints::add_object(EventId event, const HeddleRecord& operation, Footprint& footprint) const {
  const auto touch = [&](Space space, bool writes, uint64_t address, uint64_t size = 1) {
    footprint.touches.push_back({space, writes, address, size});
  };
  const HeddleFamily family = semantics::family_of(operation);
  const HeddleEffect effect = semantics::effect_of(operation);
  // Where writers are preferred, a reader may keep another one out.
  const bool prefers_writers =
      static_cast<semantics::RwlockType>(operation.value2) == semantics::RwlockType::kPreferWriterNonrecursive;
  const bool only_reads = effect == HEDDLE_EFFECT_SHARE && !prefers_writers;
  touch(Space::kMemory, !only_reads, operation.address, family == HEDDLE_FAMILY_WORD ? 4 : 1);
  if (family == HEDDLE_FAMILY_CONDITION && (effect == HEDDLE_EFFECT_WAIT || effect == HEDDLE_EFFECT_RESUME))
    touch(Space::kMemory, true, mutex_of_wait(event, operation));
  // Not again by the thread that holds it.
  footprint.takes_mutex |= family == HEDDLE_FAMILY_MUTEX && semantics::takes_lock(operation.kind) &&
                           semantics::may_block(operation.kind) && operation.value <= 1;
}

// Of a condition. While the wait has not ended, its end does not say which mutex it is.
uint64_t Footprints::mutex_of_wait(EventId event, const HeddleRecord& operation) const {
  if (semantics::effect_of(operation) == HEDDLE_EFFECT_WAIT) return operation.value;
  for (uint32_t i = event.index; i--;) {
    const HeddleRecord& before = execution_.operation({event.thread, i});
    if (before.kind == HEDDLE_COND_WAIT) return before.value;
  }
  return operation.value;
}

// Of the lock, as operations on it say.
uint64_t Footprints::type_at(uint64_t lock) const {
  for (const causal::ThreadPart& part : execution_.threads)
    for (const HeddleRecord& operation : part.operations)
      if (operation.address == lock && semantics::family_of(operation) == HEDDLE_FAMILY_RWLOCK) return operation.value2;
  return 0;
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
