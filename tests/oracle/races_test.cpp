// SPDX-License-Identifier: Apache-2.0
//
// Hand-made programs with and without data races, by the letter of C11.
#include "oracle/races.h"

#include <gtest/gtest.h>

#include "oracle/generate.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

using Block = std::vector<Operation>;
constexpr MemoryModel kModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso};
constexpr int x = 0, flag = 8;
constexpr auto kPlain = MemoryOrder::kNotAtomic;
constexpr auto kRelaxed = MemoryOrder::kRelaxed;
constexpr auto kAcquire = MemoryOrder::kAcquire;
constexpr auto kRelease = MemoryOrder::kRelease;

// How many pairs race and how many are enabled at once, the same under every model.
void expect_pairs(const Program& program, size_t racing, size_t at_once) {
  for (const MemoryModel model : kModels) {
    const Races races = find_races(program, model);
    ASSERT_TRUE(races.within_limits);
    EXPECT_EQ(races.racing.size(), racing) << to_text(program);
    EXPECT_EQ(races.enabled_at_once.size(), at_once) << to_text(program);
  }
}
void expect_pairs(const std::vector<Block>& threads, size_t racing, size_t at_once) {
  expect_pairs(with_main(threads), racing, at_once);
}

// Reads x if the flag was found to be `value`.
Block reader(MemoryOrder order, uint64_t value = 1) { return {load(0, flag, order), branch(0, value, 1), load(1, x)}; }

TEST(OracleRaces, PlainAccessesRaceAndAtomicOnesDoNot) {
  expect_pairs({{store(x, 1)}, {load(0, x)}}, 1, 1);
  expect_pairs({{store(x, 1)}, {store(x, 1)}}, 1, 1);
  expect_pairs({{load(0, x)}, {load(0, x)}}, 0, 0);
  expect_pairs({{store(x, 1, kRelaxed)}, {load(0, x, kRelaxed)}}, 0, 0);
  expect_pairs({{store(x, 1, kRelaxed)}, {load(0, x)}}, 1, 1);
}

TEST(OracleRaces, OnlyBytesThatBothTouchCount) {
  expect_pairs({{store(x, 1, kPlain, 1)}, {load(0, x + 1, kPlain, 1)}}, 0, 0);
  expect_pairs({{store(x, 1, kPlain, 1)}, {load(0, x, kPlain, 8)}}, 1, 1);
}

TEST(OracleRaces, MessagePassing) {
  const auto writer = [](MemoryOrder order) { return Block{store(x, 1), store(flag, 1, order)}; };
  expect_pairs({writer(kRelease), reader(kAcquire)}, 0, 0);
  expect_pairs({writer(kRelease), reader(MemoryOrder::kConsume)}, 0, 0);
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso}) {
    // Never enabled at once, and yet a race.
    const Races races = find_races(with_main({writer(kRelaxed), reader(kRelaxed)}), model);
    EXPECT_EQ(races.racing.size(), 1u);
    EXPECT_EQ(races.enabled_at_once.size(), 0u);
  }
}

TEST(OracleRaces, Fences) {
  const Block released = {store(x, 1), fence(kRelease), store(flag, 1, kRelaxed)};
  const Block acquired = {load(0, flag, kRelaxed), branch(0, 1, 2), fence(kAcquire), load(1, x)};
  expect_pairs({released, acquired}, 0, 0);
  expect_pairs({released, reader(kAcquire)}, 0, 0);
  expect_pairs({released, reader(kRelaxed)}, 1, 0);
  const Block late = {store(x, 1), store(flag, 1, kRelaxed), fence(kRelease)};
  expect_pairs({late, acquired}, 1, 0);
}

TEST(OracleRaces, ReleaseSequencesGoOnThroughReadModifyWritesOnly) {
  const Block writer = {store(x, 1), store(flag, 1, kRelease)};
  const Block update = {compare_exchange(0, flag, 1, 2, kRelaxed)};
  expect_pairs({writer, update, reader(kAcquire, 2)}, 0, 0);
  const Block overwrite = {load(0, flag, kRelaxed), branch(0, 1, 1), store(flag, 2, kRelaxed)};
  expect_pairs({writer, overwrite, reader(kAcquire, 2)}, 1, 0);
  // C++20: nor through a later store of the same thread.
  expect_pairs({{store(x, 1), store(flag, 1, kRelease), store(flag, 2, kRelaxed)}, reader(kAcquire, 2)}, 1, 0);
}

TEST(OracleRaces, AFailedCompareExchangeOnlyReads) {
  // It never finds 7: it reads, and so does the load.
  expect_pairs({{compare_exchange(0, x, 7, 1)}, {load(0, x)}}, 0, 0);
  expect_pairs({{compare_exchange(0, x, 0, 1)}, {load(0, x)}}, 1, 1);
}

TEST(OracleRaces, Locks) {
  const Block locked = {lock(), load(0, x), store_sum(x, 0, 1), unlock()};
  expect_pairs({locked, locked}, 0, 0);
  expect_pairs({locked, {lock(1), store(x, 1), unlock(1)}}, 2, 2);
  // Ordered only when the lock is taken in this order.
  expect_pairs({{store(x, 1), lock(), unlock()}, {lock(), unlock(), load(0, x)}}, 1, 1);
  // A try that fails orders nothing.
  const Operation attempt = synchronise(OperationKind::kTryLock, 0, 0);
  expect_pairs({{lock(), store(x, 1), unlock()}, {attempt, branch(0, 0, 1), load(1, x)}}, 1, 1);
}

TEST(OracleRaces, ReadersDoNotOrderReaders) {
  const auto locked = [](OperationKind kind, const Operation& access) {
    return Block{synchronise(kind), access, synchronise(OperationKind::kReadWriteUnlock)};
  };
  const auto kRead = OperationKind::kReadLock, kWrite = OperationKind::kWriteLock;
  expect_pairs({locked(kWrite, store(x, 1)), locked(kRead, load(0, x))}, 0, 0);
  expect_pairs({locked(kWrite, store(x, 1)), locked(kWrite, store(x, 2))}, 0, 0);
  expect_pairs({locked(kRead, store(x, 1)), locked(kRead, load(0, x))}, 1, 1);
}

TEST(OracleRaces, SemaphoresBarriersAndConditions) {
  const auto kPost = OperationKind::kSemaphorePost, kWait = OperationKind::kSemaphoreWait;
  expect_pairs({{store(x, 1), synchronise(kPost)}, {synchronise(kWait), load(0, x)}}, 0, 0);
  // The first post may be that of the other thread.
  expect_pairs({{store(x, 1), synchronise(kPost)}, {synchronise(kWait), load(0, x)}, {synchronise(kPost)}}, 1, 1);

  const Operation barrier = synchronise(OperationKind::kBarrier, 0, 1);
  Program program = with_main({{store(x, 1), barrier}, {barrier, load(0, x)}});
  program.barrier_counts[0] = 2;
  expect_pairs(program, 0, 0);

  // Signalling without the mutex orders nothing by itself.
  const Operation signal = synchronise(OperationKind::kSignal);
  expect_pairs({{lock(), condition_wait(), unlock(), load(0, x)}, {store(x, 1), signal}}, 1, 0);
  expect_pairs({{lock(), condition_wait(), unlock(), load(0, x)}, {store(x, 1), lock(), signal, unlock()}}, 0, 0);
}

TEST(OracleRaces, CreationAndJoin) {
  Program program;
  program.threads.resize(2);
  program.threads[0].operations = {store(x, 1), create(1), join(1), store(x, 2)};
  program.threads[1].operations = {load(0, x)};
  number_operations(program);
  expect_pairs(program, 0, 0);
  program.threads[0].operations = {create(1), store(x, 1), join(1)};
  number_operations(program);
  expect_pairs(program, 1, 1);
}

TEST(OracleRaces, RunsThatDoNotCompleteCount) {
  // Both then wait for ever.
  const Operation wait = synchronise(OperationKind::kSemaphoreWait);
  expect_pairs({{store(x, 1), wait}, {load(0, x), wait}}, 1, 1);
}

TEST(OracleRaces, EnabledAtOnceIsARace) {
  Limits all;
  all.shorten = false;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = generate(seed, {8, 3, 8});
    for (const MemoryModel model : kModels) {
      const Races races = find_races(program, model), full = find_races(program, model, all);
      ASSERT_TRUE(races.within_limits && full.within_limits) << to_text(program);
      ASSERT_EQ(races.racing, full.racing) << to_text(program);
      ASSERT_EQ(races.enabled_at_once, full.enabled_at_once) << to_text(program);
      for (const Pair& pair : races.enabled_at_once) ASSERT_TRUE(races.racing.contains(pair)) << to_text(program);
    }
  }
}

}  // namespace
}  // namespace heddle::oracle
