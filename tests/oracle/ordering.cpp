// SPDX-License-Identifier: Apache-2.0
#include "oracle/ordering.h"

#include <algorithm>

namespace heddle::oracle {

void Ordering::join(Clock& clock, const Clock& other) {
  for (size_t thread = 0; thread < clock.size(); ++thread) clock[thread] = std::max(clock[thread], other[thread]);
}

bool Ordering::before(int earlier, int place, int later) const {
  return threads_[static_cast<size_t>(later)].own[static_cast<size_t>(earlier)] > place;
}

void Ordering::apply(const Transition& transition, const State& before, const State& after) {
  ThreadClocks& thread = of(transition.thread);
  const ThreadState& state = before.threads[static_cast<size_t>(transition.thread)];
  if (transition.kind == Transition::Kind::kFlush) {
    const auto index = static_cast<size_t>(transition.buffered);
    return flush(thread, state.buffer[index], index);
  }
  thread.own[static_cast<size_t>(transition.thread)] = static_cast<uint8_t>(state.place + 1);
  join(thread.own, thread.late);
  thread.late = {};
  const Operation& operation = *transition.operation;
  if (is_access(operation.kind)) {
    access_memory(transition);
    if (racy_reads_order_) use_racy_reads(transition);
  } else if (operation.kind == OperationKind::kFence) {
    use_fence(thread, operation.order);
  } else {
    synchronise(transition, before, after);
  }
}

Ordering::Clock Ordering::found(const Operation& access) const {
  Clock clock = {};
  for (int byte = 0; byte < access.size; ++byte) join(clock, bytes_[static_cast<size_t>(access.offset + byte)]);
  return clock;
}

void Ordering::write(const Operation& access, const Clock& clock) {
  for (int byte = 0; byte < access.size; ++byte) bytes_[static_cast<size_t>(access.offset + byte)] = clock;
}

void Ordering::flush(ThreadClocks& thread, const BufferedStore& store, size_t index) {
  for (int byte = 0; byte < store.size; ++byte) bytes_[static_cast<size_t>(store.offset + byte)] = thread.buffer[index];
  std::copy(thread.buffer.begin() + static_cast<long>(index) + 1, thread.buffer.begin() + thread.buffered,
            thread.buffer.begin() + static_cast<long>(index));
  thread.buffer[--thread.buffered] = {};
}

void Ordering::acquire(ThreadClocks& thread, MemoryOrder order, const Clock& clock) {
  if (order == MemoryOrder::kNotAtomic) return;
  join(thread.acquired, clock);
  if (acquires(order)) join(thread.own, clock);
}

void Ordering::access_memory(const Transition& transition) {
  const Operation& access = *transition.operation;
  ThreadClocks& thread = of(transition.thread);
  if (access.kind == OperationKind::kLoad) {
    const bool forwarded = transition.buffered != Transition::kMemory;
    return acquire(thread, access.order,
                   forwarded ? thread.buffer[static_cast<size_t>(transition.buffered)] : found(access));
  }
  Clock clock = {};
  if (access.kind != OperationKind::kStore) {
    clock = found(access);
    acquire(thread, transition.success ? access.order : access.failure_order, clock);
    if (!transition.success) return;
  }
  if (access.order != MemoryOrder::kNotAtomic) join(clock, releases(access.order) ? thread.own : thread.released);
  if (transition.buffered == Transition::kMemory) {
    write(access, clock);
  } else {
    thread.buffer[thread.buffered++] = clock;
  }
}

void Ordering::use_racy_reads(const Transition& transition) {
  const Operation& access = *transition.operation;
  ThreadClocks& thread = of(transition.thread);
  const bool plain = access.order == MemoryOrder::kNotAtomic;
  for (int byte = access.offset; byte < access.offset + access.size; ++byte) {
    const auto place = static_cast<size_t>(byte);
    if (access.kind != OperationKind::kStore && (plain || written_plainly_[place])) join(thread.late, written_[place]);
    if (!writes(access) || !transition.success) continue;
    written_[place] = thread.own;
    written_plainly_[place] = plain;
  }
}

void Ordering::use_fence(ThreadClocks& thread, MemoryOrder order) {
  if (acquires(order)) join(thread.own, thread.acquired);
  if (releases(order)) thread.released = thread.own;
}

void Ordering::synchronise(const Transition& transition, const State& before, const State& after) {
  const Operation& operation = *transition.operation;
  const auto object = static_cast<size_t>(operation.object);
  Clock& own = of(transition.thread).own;
  if (!transition.success) return;
  switch (operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kTryLock: return join(own, mutexes_[object]);
    case OperationKind::kUnlock: return join(mutexes_[object], own);
    case OperationKind::kWriteLock:
    case OperationKind::kTryWriteLock: join(own, readers_[object]); return join(own, writers_[object]);
    case OperationKind::kReadLock:
    case OperationKind::kTryReadLock: return join(own, writers_[object]);
    case OperationKind::kReadWriteUnlock:
      return join(before.writer[object] == transition.thread ? writers_[object] : readers_[object], own);
    case OperationKind::kSemaphorePost: return join(semaphores_[object], own);
    case OperationKind::kSemaphoreWait:
    case OperationKind::kSemaphoreTryWait: return join(own, semaphores_[object]);
    case OperationKind::kConditionWait: {
      Clock& mutex = mutexes_[static_cast<size_t>(operation.mutex)];
      return transition.kind == Transition::Kind::kResume ? join(own, mutex) : join(mutex, own);
    }
    case OperationKind::kBarrier: return use_barrier(transition, before, after);
    case OperationKind::kCreate: return join(of(operation.object).own, own);
    case OperationKind::kJoin: return join(own, of(operation.object).own);
    default: return;
  }
}

void Ordering::use_barrier(const Transition& transition, const State& before, const State& after) {
  if (transition.kind == Transition::Kind::kLeave) return;
  Clock& barrier = barriers_[static_cast<size_t>(transition.operation->object)];
  join(barrier, of(transition.thread).own);
  if (!transition.opens) return;
  for (size_t thread = 0; thread < threads_.size(); ++thread) {
    const bool was_released = before.threads[thread].stage == Stage::kReleased;  // in the round before
    if (!was_released && after.threads[thread].stage == Stage::kReleased) join(threads_[thread].own, barrier);
  }
  barrier = {};
}

void Ordering::append_key(std::string& key, size_t threads) const {
  const auto append = [&](const Clock& clock) {
    if (clock == Clock{}) {
      key += '\0';
      return;
    }
    key += '\1';
    for (size_t thread = 0; thread < threads; ++thread) key += static_cast<char>(clock[thread]);
  };
  for (size_t thread = 0; thread < threads; ++thread) {
    append(threads_[thread].own);
    append(threads_[thread].released);
    append(threads_[thread].acquired);
    for (size_t index = 0; index < threads_[thread].buffered; ++index) append(threads_[thread].buffer[index]);
  }
  for (const Clock& clock : bytes_) append(clock);
  if (racy_reads_order_) {
    for (size_t thread = 0; thread < threads; ++thread) append(threads_[thread].late);
    for (const Clock& clock : written_) append(clock);
    for (const bool plainly : written_plainly_) key += plainly ? '\1' : '\0';
  }
  for (const Clock& clock : mutexes_) append(clock);
  for (const Clock& clock : writers_) append(clock);
  for (const Clock& clock : readers_) append(clock);
  for (const Clock& clock : semaphores_) append(clock);
  for (const Clock& clock : barriers_) append(clock);
}

}  // namespace heddle::oracle
