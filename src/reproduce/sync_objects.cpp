// SPDX-License-Identifier: Apache-2.0
#include "reproduce/sync_objects.h"

#include "semantics/meaning.h"

namespace heddle::reproduce {

using semantics::ObjectOperation;
using semantics::Outcome;

namespace {

ObjectOperation object_operation(const ObjectUse& use) {
  const Operation& operation = use.operation;
  return {semantics::effect_of(operation.kind), semantics::form_of(operation.kind), use.thread, operation.type,
          operation.amount};
}

// What came of the operation in the run that it is known from may come of it now. Calls that refuse their arguments do
// so at any time.
bool agrees(const Operation& operation, const Outcome& outcome) {
  if (operation.flags & HEDDLE_FLAG_CANCELLED) return true;
  if (operation.flags & HEDDLE_FLAG_TIMEOUT) return outcome.waits;
  const bool fails = !outcome.waits && (outcome.flags & HEDDLE_FLAG_FAILED);
  if (!(operation.flags & HEDDLE_FLAG_FAILED)) return !outcome.waits && !fails;
  const bool depends_on_others =
      semantics::form_of(operation.kind) == HEDDLE_FORM_ATTEMPT || (operation.flags & HEDDLE_FLAG_MISUSE);
  return fails || !depends_on_others;
}

// Memory of a destroyed object may have become another one, which nobody had to initialise. An operation that was
// no misuse found that one.
template <typename State>
State state_for(const std::map<uint64_t, State>& states, const ObjectUse& use) {
  const auto found = states.find(use.object);
  if (found == states.end()) return {};
  return found->second.is_destroyed && !(use.operation.flags & HEDDLE_FLAG_MISUSE) ? State{} : found->second;
}

template <typename State>
bool can_use(const std::map<uint64_t, State>& states, const ObjectUse& use) {
  return agrees(use.operation, can_happen(state_for(states, use), object_operation(use)));
}

template <typename State>
void perform_on(std::map<uint64_t, State>& states, const ObjectUse& use) {
  State& state = states[use.object];
  state = state_for(states, use);
  perform(state, object_operation(use), use.operation.flags);
}

}  // namespace

bool SyncObjects::can_happen(const ObjectUse& use) const {
  switch (semantics::family_of(use.operation.kind)) {
    case HEDDLE_FAMILY_MUTEX: return can_use(mutexes_, use);
    case HEDDLE_FAMILY_RWLOCK: return can_use(rwlocks_, use);
    case HEDDLE_FAMILY_BARRIER: return can_use(barriers_, use);
    case HEDDLE_FAMILY_SEMAPHORE: return can_use(semaphores_, use);
    case HEDDLE_FAMILY_ONCE: {
      if (semantics::effect_of(use.operation.kind) != HEDDLE_EFFECT_ENTER) return true;
      const auto found = onces_.find(use.object);
      const semantics::OnceState state = found == onces_.end() ? semantics::OnceState::kNew : found->second;
      return !semantics::can_happen(state, object_operation(use)).waits &&
             semantics::runs_it(state) == use.operation.runs_once;
    }
    case HEDDLE_FAMILY_CONDITION:
    case HEDDLE_FAMILY_WORD: return can_happen_in_queue(use);
    default: return true;
  }
}

bool SyncObjects::can_take_mutex(const ObjectUse& use) const {
  const auto found = mutexes_.find(use.mutex);
  return found == mutexes_.end() || !semantics::can_happen(found->second, object_operation(use)).waits;
}

bool SyncObjects::can_happen_in_queue(const ObjectUse& use) const {
  const auto found = queues_.find(use.object);
  const WaitQueue none;
  const WaitQueue& queue = found == queues_.end() ? none : found->second;
  const bool is_word = semantics::family_of(use.operation.kind) == HEDDLE_FAMILY_WORD;
  switch (semantics::effect_of(use.operation.kind)) {
    case HEDDLE_EFFECT_RESUME:
      if (!is_word && !can_take_mutex(use)) return false;
      if (semantics::was_woken(use.operation.flags)) return queue.is_woken(use.thread);
      return !is_word || queue.can_leave(use.thread);  // of a condition: its LEAVE came before
    case HEDDLE_EFFECT_LEAVE: return queue.can_leave(use.thread);
    case HEDDLE_EFFECT_DESTROY: return queue.all_are_woken();
    default: return true;
  }
}

void SyncObjects::perform(const ObjectUse& use) {
  switch (semantics::family_of(use.operation.kind)) {
    case HEDDLE_FAMILY_MUTEX: return perform_on(mutexes_, use);
    case HEDDLE_FAMILY_RWLOCK: return perform_on(rwlocks_, use);
    case HEDDLE_FAMILY_BARRIER: return perform_on(barriers_, use);
    case HEDDLE_FAMILY_SEMAPHORE: return perform_on(semaphores_, use);
    case HEDDLE_FAMILY_ONCE: return semantics::perform(onces_[use.object], object_operation(use), use.operation.flags);
    case HEDDLE_FAMILY_CONDITION:
    case HEDDLE_FAMILY_WORD: return perform_in_queue(use);
    default: return;
  }
}

void SyncObjects::perform_in_queue(const ObjectUse& use) {
  WaitQueue& queue = queues_[use.object];
  const uint8_t flags = use.operation.flags;
  const bool is_word = semantics::family_of(use.operation.kind) == HEDDLE_FAMILY_WORD;
  switch (semantics::effect_of(use.operation.kind)) {
    case HEDDLE_EFFECT_WAIT:
      if (semantics::gave_up(flags)) return;
      queue.wait(use.thread);
      if (!is_word) semantics::perform(mutexes_[use.mutex], object_operation(use), flags);
      return;
    case HEDDLE_EFFECT_RESUME:
      if (semantics::was_woken(flags)) {
        queue.resume(use.thread);
      } else {
        queue.leave(use.thread);
      }
      if (!is_word) semantics::perform(mutexes_[use.mutex], object_operation(use), flags);
      return;
    case HEDDLE_EFFECT_LEAVE: return queue.leave(use.thread);
    case HEDDLE_EFFECT_WAKE: return queue.wake(use.operation.amount);
    default: return;
  }
}

// What the places of the threads do not tell: which signals are left, and what strangers did to locks.
uint64_t SyncObjects::hash() const {
  uint64_t hash = 0;
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 31;
  };
  for (const auto& [object, queue] : queues_) {
    mix(object);
    queue.for_each_number(mix);
  }
  for (const auto& [object, mutex] : mutexes_) {
    if (!mutex.owner && !mutex.is_destroyed) continue;
    mix(object);
    mix(mutex.is_destroyed ? ~uint64_t{0} : uint64_t{mutex.owner} << 32 | mutex.depth);
  }
  for (const auto& [object, rwlock] : rwlocks_) {
    if (!rwlock.owner && !rwlock.readers) continue;
    mix(object);
    mix(uint64_t{rwlock.owner} << 32 | rwlock.readers);
  }
  return hash;
}

}  // namespace heddle::reproduce
