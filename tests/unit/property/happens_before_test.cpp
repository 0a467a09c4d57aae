// SPDX-License-Identifier: Apache-2.0
#include "property/happens_before.h"

#include <gtest/gtest.h>

#include "hand_made_execution.h"

namespace heddle::property {
namespace {

using causal::EventId;
using causal::MemoryModel;

constexpr uint64_t kX = 0x1000, kFlag = 0x2000, kObject = 0x3000, kCondition = 0x4000;
constexpr uint8_t kPlain = HEDDLE_ORDER_NOT_ATOMIC, kRelaxed = HEDDLE_ORDER_RELAXED, kAcquire = HEDDLE_ORDER_ACQUIRE,
                  kRelease = HEDDLE_ORDER_RELEASE, kSequential = HEDDLE_ORDER_SEQ_CST;

bool is_before(const HandMadeExecution& run, EventId a, EventId b, MemoryModel model = MemoryModel::kSc) {
  const HappensBefore order(run.execution(), run.execution().order, model);
  EXPECT_FALSE(order.before(b, a));
  EXPECT_EQ(order.races().size(), order.before(a, b) ? 0u : 1u);  // all tests have one conflict
  return order.before(a, b);
}

// T0 writes x, T0 does `pass`, T1 does `take`, T1 reads x.
template <typename Pass, typename Take>
bool orders(const Pass& pass, const Take& take) {
  HandMadeExecution run(2);
  const EventId write = run.store(0, kX, kPlain);
  pass(run);
  take(run);
  return is_before(run, write, run.load(1, kX, kPlain));
}
bool orders(HeddleKind pass, HeddleKind take, uint8_t take_flags = 0) {
  return orders([&](auto& run) { run.add(0, pass, kObject); },
                [&](auto& run) { run.add(1, take, kObject, 0, take_flags); });
}

TEST(HappensBefore, NothingOrdersAccessesByItself) {
  EXPECT_FALSE(orders([](auto&) {}, [](auto&) {}));
}

TEST(HappensBefore, CreationAndJoin) {
  EXPECT_TRUE(orders([](auto& run) { run.add(0, HEDDLE_THREAD_CREATE, 0, 1); },
                     [](auto& run) { run.add(1, HEDDLE_THREAD_START); }));
  EXPECT_TRUE(orders([](auto& run) { run.add(0, HEDDLE_THREAD_END); },
                     [](auto& run) { run.add(1, HEDDLE_THREAD_JOIN, 0, 0); }));
  EXPECT_FALSE(orders([](auto& run) { run.add(0, HEDDLE_THREAD_END); },
                      [](auto& run) { run.add(1, HEDDLE_THREAD_JOIN, 0, 0, HEDDLE_FLAG_TIMEOUT); }));
}

TEST(HappensBefore, Locks) {
  EXPECT_TRUE(orders(HEDDLE_MUTEX_UNLOCK, HEDDLE_MUTEX_LOCK));
  EXPECT_TRUE(orders(HEDDLE_MUTEX_UNLOCK, HEDDLE_MUTEX_TRYLOCK));
  EXPECT_FALSE(orders(HEDDLE_MUTEX_UNLOCK, HEDDLE_MUTEX_TRYLOCK, HEDDLE_FLAG_FAILED));
  EXPECT_FALSE(orders([](auto& run) { run.add(0, HEDDLE_MUTEX_UNLOCK, kObject, 1); },  // still held
                      [](auto& run) { run.add(1, HEDDLE_MUTEX_LOCK, kObject); }));
  EXPECT_FALSE(orders([](auto& run) { run.add(0, HEDDLE_MUTEX_UNLOCK, kObject); },
                      [](auto& run) { run.add(1, HEDDLE_MUTEX_LOCK, kObject + 8); }));
}

TEST(HappensBefore, ReadersDoNotOrderReaders) {
  const auto locked = [](uint8_t kind) {
    return [kind](auto& run) { run.add(0, kind, kObject), run.add(0, HEDDLE_RWLOCK_UNLOCK, kObject); };
  };
  const auto lock = [](uint8_t kind) { return [kind](auto& run) { run.add(1, kind, kObject); }; };
  EXPECT_TRUE(orders(locked(HEDDLE_RWLOCK_WRITE), lock(HEDDLE_RWLOCK_READ)));
  EXPECT_TRUE(orders(locked(HEDDLE_RWLOCK_WRITE), lock(HEDDLE_RWLOCK_WRITE)));
  EXPECT_TRUE(orders(locked(HEDDLE_RWLOCK_READ), lock(HEDDLE_RWLOCK_WRITE)));
  EXPECT_FALSE(orders(locked(HEDDLE_RWLOCK_READ), lock(HEDDLE_RWLOCK_READ)));
}

TEST(HappensBefore, SemaphoresBarriersAndInitialisations) {
  EXPECT_TRUE(orders(HEDDLE_SEM_POST, HEDDLE_SEM_WAIT));
  EXPECT_FALSE(orders(HEDDLE_SEM_POST, HEDDLE_SEM_TRYWAIT, HEDDLE_FLAG_FAILED));
  EXPECT_TRUE(orders(HEDDLE_BARRIER_ARRIVE, HEDDLE_BARRIER_LEAVE));
  EXPECT_FALSE(orders([](auto& run) { run.add(0, HEDDLE_BARRIER_ARRIVE, kObject, 1); },
                      [](auto& run) { run.add(1, HEDDLE_BARRIER_LEAVE, kObject, 0); }));
  EXPECT_TRUE(orders(HEDDLE_ONCE_DONE, HEDDLE_ONCE_ENTER));
}

TEST(HappensBefore, ConditionsOrderThroughTheirMutexOnly) {
  EXPECT_FALSE(orders([](auto& run) { run.add(0, HEDDLE_COND_SIGNAL, kCondition); },
                      [](auto& run) { run.add(1, HEDDLE_COND_RESUME, kCondition, kObject); }));
  EXPECT_TRUE(orders([](auto& run) { run.add(0, HEDDLE_MUTEX_UNLOCK, kObject); },
                     [](auto& run) { run.add(1, HEDDLE_COND_RESUME, kCondition, kObject); }));
  EXPECT_TRUE(orders([](auto& run) { run.add(0, HEDDLE_COND_WAIT, kCondition, kObject); },
                     [](auto& run) { run.add(1, HEDDLE_MUTEX_LOCK, kObject); }));
}

bool passes_message(uint8_t store, uint8_t load) {
  return orders([&](auto& run) { run.store(0, kFlag, store); }, [&](auto& run) { run.load(1, kFlag, load); });
}

TEST(HappensBefore, ReleaseAndAcquire) {
  EXPECT_TRUE(passes_message(kRelease, kAcquire));
  EXPECT_TRUE(passes_message(kRelease, HEDDLE_ORDER_CONSUME));
  EXPECT_TRUE(passes_message(kSequential, kSequential));
  EXPECT_FALSE(passes_message(kRelaxed, kAcquire));
  EXPECT_FALSE(passes_message(kRelease, kRelaxed));
}

TEST(HappensBefore, AFailedExchangeReadsWithItsOwnOrder) {
  for (const uint8_t order : {kAcquire, kRelaxed})
    EXPECT_EQ(order == kAcquire, orders([](auto& run) { run.store(0, kFlag, kRelease); },
                                        [&](auto& run) { run.failed_exchange(1, kFlag, order); }));
}

TEST(HappensBefore, Fences) {
  const auto released = [](auto& run) { run.fence(0, kRelease), run.store(0, kFlag, kRelaxed); };
  const auto late = [](auto& run) { run.store(0, kFlag, kRelaxed), run.fence(0, kRelease); };
  const auto acquired = [](auto& run) { run.load(1, kFlag, kRelaxed), run.fence(1, kAcquire); };
  const auto early = [](auto& run) { run.fence(1, kAcquire), run.load(1, kFlag, kRelaxed); };
  EXPECT_TRUE(orders(released, acquired));
  EXPECT_FALSE(orders(late, acquired));
  EXPECT_FALSE(orders(released, early));
  EXPECT_TRUE(orders(released, [](auto& run) { run.load(1, kFlag, kAcquire); }));
}

TEST(HappensBefore, ReleaseSequencesGoOnThroughReadModifyWritesOnly) {
  HandMadeExecution run(3);
  const EventId write = run.store(0, kX, kPlain);
  const EventId flag = run.store(0, kFlag, kRelease);
  const EventId update = run.update(2, kFlag, kRelaxed);
  const EventId take = run.load(1, kFlag, kAcquire);
  const EventId read = run.load(1, kX, kPlain);
  EXPECT_TRUE(is_before(run, write, read));
  const HappensBefore order(run.execution(), run.execution().order, MemoryModel::kSc);
  const auto path = order.path(write, read);
  ASSERT_EQ(path.size(), 1u);
  EXPECT_EQ(path[0].from, flag);
  EXPECT_EQ(path[0].to, take);
  ASSERT_EQ(path[0].reads.size(), 2u);
  EXPECT_EQ(path[0].reads[0].from, flag);
  EXPECT_EQ(path[0].reads[0].to, update);
  EXPECT_EQ(path[0].reads[1].from, update);
  EXPECT_EQ(path[0].reads[1].to, take);
  EXPECT_FALSE(order.before(write, update));  // it did not acquire

  EXPECT_FALSE(orders([](auto& other) { other.store(0, kFlag, kRelease), other.store(0, kFlag, kRelaxed); },
                      [](auto& other) { other.load(1, kFlag, kAcquire); }));
}

TEST(HappensBefore, OneByteIsEnough) {
  for (const uint64_t offset : {3, 4})
    EXPECT_EQ(offset == 3, orders([&](auto& run) { run.store(0, kFlag, kRelease, 4); },
                                  [&](auto& run) { run.load(1, kFlag + offset, kAcquire, 1); }));
}

TEST(HappensBefore, ABufferedStoreSendsItsMessageWhenItReachesMemory) {
  for (const bool flushed : {true, false}) {
    HandMadeExecution run(2);
    const EventId write = run.store(0, kX, kPlain);
    const EventId flag = run.store(0, kFlag, kRelease);
    if (flushed) run.flush(write), run.flush(flag);
    run.load(1, kFlag, kAcquire);
    EXPECT_EQ(is_before(run, write, run.load(1, kX, kPlain), MemoryModel::kTso), flushed);
  }
}

TEST(HappensBefore, WhatComesFromTheOwnBufferTeachesNothing) {
  HandMadeExecution run(2);
  const EventId write = run.store(0, kX, kPlain);
  run.flush(write);
  run.flush(run.store(0, kFlag, kRelease));
  run.store(1, kFlag, kRelaxed);
  run.load(1, kFlag, kAcquire);
  EXPECT_FALSE(is_before(run, write, run.load(1, kX, kPlain), MemoryModel::kTso));
}

TEST(HappensBefore, ConflictsAreOfOverlappingBytesOneWrittenOneNotAtomic) {
  HandMadeExecution run(2);
  const auto conflicts = [&](EventId a, EventId b) {
    return conflict(run.execution().operation(a), run.execution().operation(b));
  };
  const EventId write = run.store(0, kX, kPlain), atomic = run.store(0, kX, kRelaxed), read = run.load(0, kX, kPlain);
  EXPECT_TRUE(conflicts(write, run.load(1, kX, kPlain)));
  EXPECT_TRUE(conflicts(write, run.load(1, kX + 3, kSequential, 1)));
  EXPECT_FALSE(conflicts(write, run.load(1, kX + 4, kPlain)));
  EXPECT_TRUE(conflicts(atomic, run.load(1, kX, kPlain)));
  EXPECT_FALSE(conflicts(atomic, run.load(1, kX, kRelaxed)));
  EXPECT_FALSE(conflicts(read, run.load(1, kX, kPlain)));
  EXPECT_FALSE(conflicts(read, run.failed_exchange(1, kX, kRelaxed)));
  EXPECT_TRUE(conflicts(read, run.update(1, kX, kRelaxed)));
  EXPECT_FALSE(conflicts(write, read));  // same thread
}

TEST(HappensBefore, PathsGoThroughOtherThreads) {
  HandMadeExecution run(3);
  const EventId write = run.store(0, kX, kPlain);
  const EventId post = run.add(0, HEDDLE_SEM_POST, kObject);
  const EventId wait = run.add(1, HEDDLE_SEM_WAIT, kObject);
  const EventId unlock = run.add(1, HEDDLE_MUTEX_UNLOCK, kCondition);
  const EventId lock = run.add(2, HEDDLE_MUTEX_LOCK, kCondition);
  const EventId read = run.load(2, kX, kPlain);
  const HappensBefore order(run.execution(), run.execution().order, MemoryModel::kSc);
  ASSERT_TRUE(order.before(write, read));
  const auto path = order.path(write, read);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0].from, post);
  EXPECT_EQ(path[0].to, wait);
  EXPECT_EQ(path[1].from, unlock);
  EXPECT_EQ(path[1].to, lock);
  EXPECT_TRUE(path[0].reads.empty() && path[1].reads.empty());
}

}  // namespace
}  // namespace heddle::property
