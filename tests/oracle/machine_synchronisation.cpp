// SPDX-License-Identifier: Apache-2.0
//
// Locks, semaphores, condition variables, barriers, threads and blocks of the machine.
// Nobody is preferred; a signal wakes any one of those who wait then, and is
// lost if nobody does; nobody wakes without reason.
#include "base/check.h"
#include "oracle/machine.h"
#include "oracle/machine_step.h"

namespace heddle::oracle {

void Machine::synchronise(Step& step) const {
  if (step.thread().buffered) return;
  switch (step.operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kUnlock:
    case OperationKind::kTryLock: return use_mutex(step);
    case OperationKind::kReadLock:
    case OperationKind::kWriteLock:
    case OperationKind::kReadWriteUnlock:
    case OperationKind::kTryReadLock:
    case OperationKind::kTryWriteLock: return use_reader_writer_lock(step);
    case OperationKind::kSemaphoreWait:
    case OperationKind::kSemaphorePost:
    case OperationKind::kSemaphoreTryWait: return use_semaphore(step);
    case OperationKind::kConditionWait:
    case OperationKind::kSignal:
    case OperationKind::kBroadcast: return use_condition(step);
    case OperationKind::kBarrier: return use_barrier(step);
    default: return use_thread(step);
  }
}

void Machine::use_mutex(Step& step) const {
  const auto mutex = static_cast<size_t>(step.operation.object);
  const int owner = step.before.mutex_owner[mutex];
  State after = step.before;
  if (step.operation.kind == OperationKind::kUnlock) {
    HEDDLE_CHECK(owner == step.transition.thread, "a mutex is unlocked by who holds it");
    after.mutex_owner[mutex] = kNobody;
    return step.take(after);
  }
  const bool free = owner == kNobody;
  const bool attempt = step.operation.kind == OperationKind::kTryLock;
  if (!free && !attempt) return;
  step.transition.success = free;
  if (free) after.mutex_owner[mutex] = static_cast<int8_t>(step.transition.thread);
  if (attempt) step.learn(after, free);
  step.take(after);
}

void Machine::use_reader_writer_lock(Step& step) const {
  const OperationKind kind = step.operation.kind;
  const auto lock = static_cast<size_t>(step.operation.object);
  State after = step.before;
  if (kind == OperationKind::kReadWriteUnlock) {
    if (step.before.writer[lock] == step.transition.thread) {
      after.writer[lock] = kNobody;
    } else {
      HEDDLE_CHECK(step.before.readers[lock] > 0, "a reader-writer lock is unlocked by who holds it");
      --after.readers[lock];
    }
    return step.take(after);
  }
  const bool write = kind == OperationKind::kWriteLock || kind == OperationKind::kTryWriteLock;
  const bool attempt = kind == OperationKind::kTryReadLock || kind == OperationKind::kTryWriteLock;
  const bool free = step.before.writer[lock] == kNobody && (!write || !step.before.readers[lock]);
  if (!free && !attempt) return;
  step.transition.success = free;
  if (free && write) after.writer[lock] = static_cast<int8_t>(step.transition.thread);
  if (free && !write) ++after.readers[lock];
  if (attempt) step.learn(after, free);
  step.take(after);
}

void Machine::use_semaphore(Step& step) const {
  const auto semaphore = static_cast<size_t>(step.operation.object);
  State after = step.before;
  if (step.operation.kind == OperationKind::kSemaphorePost) {
    ++after.semaphore[semaphore];
    return step.take(after);
  }
  const bool positive = step.before.semaphore[semaphore] > 0;
  const bool attempt = step.operation.kind == OperationKind::kSemaphoreTryWait;
  if (!positive && !attempt) return;
  step.transition.success = positive;
  if (positive) --after.semaphore[semaphore];
  if (attempt) step.learn(after, positive);
  step.take(after);
}

void Machine::use_condition(Step& step) const {
  const auto mutex = static_cast<size_t>(step.operation.mutex);
  State after = step.before;
  if (step.operation.kind == OperationKind::kConditionWait) {
    if (step.thread().stage == Stage::kReady) {
      HEDDLE_CHECK(step.before.mutex_owner[mutex] == step.transition.thread, "who waits holds the mutex");
      after.mutex_owner[mutex] = kNobody;
      step.own(after).stage = Stage::kQueued;
      step.stay(after);
    } else if (step.thread().stage == Stage::kWoken && step.before.mutex_owner[mutex] == kNobody) {
      after.mutex_owner[mutex] = static_cast<int8_t>(step.transition.thread);
      step.transition.kind = Transition::Kind::kResume;
      step.take(after);
    }
    return;
  }
  const bool all = step.operation.kind == OperationKind::kBroadcast;
  bool anybody = false;
  for (int waiter = 0; waiter < static_cast<int>(program_.threads.size()); ++waiter) {
    ThreadState& other = after.threads[static_cast<size_t>(waiter)];
    if (other.stage != Stage::kQueued || operation_at(step.before, waiter)->object != step.operation.object) continue;
    anybody = true;
    other.stage = Stage::kWoken;
    if (all) continue;
    step.take(after);
    other.stage = Stage::kQueued;
  }
  if (all || !anybody) step.take(after);
}

void Machine::use_barrier(Step& step) const {
  const auto barrier = static_cast<size_t>(step.operation.object);
  State after = step.before;
  if (step.thread().stage == Stage::kReleased) {
    step.transition.kind = Transition::Kind::kLeave;
    step.learn(after, step.thread().serial);
    return step.take(after);
  }
  if (step.thread().stage != Stage::kReady) return;
  step.own(after).stage = Stage::kArrived;
  step.transition.opens = ++after.arrived[barrier] == program_.barrier_counts[barrier];
  if (step.transition.opens) {
    after.arrived[barrier] = 0;
    for (int waiter = 0; waiter < static_cast<int>(program_.threads.size()); ++waiter) {
      ThreadState& other = after.threads[static_cast<size_t>(waiter)];
      if (other.stage == Stage::kArrived && operation_at(after, waiter)->object == step.operation.object)
        other.stage = Stage::kReleased;
    }
    step.own(after).serial = true;
  }
  step.stay(after);
}

void Machine::use_thread(Step& step) const {
  const int other = step.operation.object;
  State after = step.before;
  step.transition.alone = true;
  ThreadState& changed = after.threads[static_cast<size_t>(other)];
  if (step.operation.kind == OperationKind::kCreate) {
    changed.stage = Stage::kReady;
    run_control(after, other);
    return step.take(after);
  }
  const bool ended = changed.stage == Stage::kReady && !changed.buffered && !operation_at(step.before, other);
  if (ended) step.take(after);
}

// Allocating waits for nothing, nor does releasing 0; releasing a block waits for an empty buffer.
void Machine::use_block(Step& step) const {
  State after = step.before;
  if (step.operation.kind == OperationKind::kAllocate) {
    const auto block = static_cast<uint64_t>(step.operation.object);
    after.allocated = static_cast<uint8_t>(after.allocated | 1u << (block - 1));
    step.own(after).registers[static_cast<size_t>(step.operation.target)] = block;
    step.transition.alone = true;
    return step.take(after);
  }
  const uint64_t pointer = step.thread().registers[static_cast<size_t>(step.operation.source)];
  if (pointer && step.thread().buffered) return;
  if (pointer) after.released = static_cast<uint8_t>(after.released | 1u << (pointer - 1));
  step.transition.alone = !pointer;
  step.take(after);
}

}  // namespace heddle::oracle
