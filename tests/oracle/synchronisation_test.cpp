// SPDX-License-Identifier: Apache-2.0
//
// Hand-made cases of each kind of synchronisation, with answers found by hand.
#include <gtest/gtest.h>

#include "oracle/brute_force.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

constexpr MemoryModel kModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso};
constexpr auto kWait = OperationKind::kSemaphoreWait;
constexpr auto kPost = OperationKind::kSemaphorePost;

Operation signal() { return synchronise(OperationKind::kSignal); }
Operation broadcast() { return synchronise(OperationKind::kBroadcast); }
Operation barrier(int target) { return synchronise(OperationKind::kBarrier, 0, target); }

// The same under every model.
void expect_everywhere(const Program& program, size_t outcomes, size_t classes, bool deadlock) {
  for (const MemoryModel model : kModels) {
    const Truth truth = brute_force(program, model);
    EXPECT_EQ(truth.outcomes.size(), outcomes);
    EXPECT_EQ(truth.classes, classes);
    EXPECT_EQ(truth.deadlock, deadlock);
  }
}

TEST(OracleSynchronisation, MutexesExclude) {
  const std::vector<Operation> increment = {lock(), load(0, 0), store_sum(0, 0, 1), unlock()};
  expect_everywhere(with_main({increment, increment}), 2, 2, false);
}

TEST(OracleSynchronisation, LocksInOppositeOrderDeadlock) {
  const std::vector<Operation> one = {lock(0), lock(1), unlock(1), unlock(0)};
  const std::vector<Operation> other = {lock(1), lock(0), unlock(0), unlock(1)};
  expect_everywhere(with_main({one, one}), 1, 1, false);
  expect_everywhere(with_main({one, other}), 1, 1, true);
}

TEST(OracleSynchronisation, AKeptLockStopsTheOther) {
  const Program program = with_main({{lock()}, {lock(), unlock()}});
  expect_everywhere(program, 1, 1, true);
  expect_everywhere(with_main({{lock()}, {lock()}}), 0, 0, true);
}

TEST(OracleSynchronisation, TryLockSeesTheHolder) {
  const Operation attempt = synchronise(OperationKind::kTryLock, 0, 0);
  expect_everywhere(with_main({{lock(), unlock()}, {attempt, branch(0, 1, 1), unlock()}}), 2, 2, false);
  expect_everywhere(with_main({{attempt}, {attempt}}), 2, 2, false);
}

TEST(OracleSynchronisation, AFailedTryDrainsTheBuffer) {
  const Operation attempt = synchronise(OperationKind::kTryLock, 0, 1);
  const Program program = with_main({{store(0, 1), attempt, load(0, 8)}, {store(8, 1), attempt, load(0, 0)}}, {lock()});
  for (const MemoryModel model : kModels)
    for (const Outcome& outcome : brute_force(program, model).outcomes)
      EXPECT_FALSE(outcome.at("t1r0") == 0 && outcome.at("t2r0") == 0);
}

TEST(OracleSynchronisation, ReadersShareAndWritersDoNot) {
  const auto kRead = OperationKind::kReadLock, kWrite = OperationKind::kWriteLock;
  const auto kUnlock = OperationKind::kReadWriteUnlock, kTryRead = OperationKind::kTryReadLock,
             kTryWrite = OperationKind::kTryWriteLock;
  // Each keeps its lock: a second reader comes in, a second writer does not.
  expect_everywhere(with_main({{synchronise(kRead)}, {synchronise(kRead)}}), 1, 1, false);
  expect_everywhere(with_main({{synchronise(kWrite)}, {synchronise(kWrite)}}), 0, 0, true);
  expect_everywhere(with_main({{synchronise(kRead), synchronise(kUnlock)}, {synchronise(kWrite)}}), 1, 1, true);
  expect_everywhere(with_main({{synchronise(kRead)}, {synchronise(kTryRead, 0, 0)}}), 1, 1, false);
  expect_everywhere(with_main({{synchronise(kWrite)}, {synchronise(kTryRead, 0, 0)}}), 1, 1, true);
  expect_everywhere(
      with_main({{synchronise(kRead)}, {synchronise(kTryWrite, 0, 0), branch(0, 1, 1), synchronise(kUnlock)}}), 2, 2,
      false);
}

TEST(OracleSynchronisation, SemaphoresCount) {
  Program program = with_main({{synchronise(kWait)}, {synchronise(kWait)}});
  program.semaphore_values[0] = 1;
  expect_everywhere(program, 0, 0, true);
  program.semaphore_values[0] = 2;
  expect_everywhere(program, 1, 1, false);
  expect_everywhere(with_main({{store(0, 1), synchronise(kPost)}, {synchronise(kWait), load(0, 0)}}), 1, 1, false);
  expect_everywhere(with_main({{synchronise(kPost)}, {synchronise(OperationKind::kSemaphoreTryWait, 0, 0)}}), 2, 2,
                    false);
}

TEST(OracleSynchronisation, ASignalNobodyWaitsForIsLost) {
  expect_everywhere(with_main({{lock(), condition_wait(), unlock()}, {signal()}}), 1, 1, true);
  // With a flag under the mutex it is not.
  expect_everywhere(with_main({{lock(), load(0, 0), branch(0, 0, 1), condition_wait(), unlock()},
                               {lock(), store(0, 1), signal(), unlock()}}),
                    2, 2, false);
}

TEST(OracleSynchronisation, ASignalWakesOneAndABroadcastAll) {
  const std::vector<Operation> waiter = {lock(), condition_wait(), add(0, 0, 1), unlock()};
  const auto run = [&](const Operation& wake) {
    Program program = with_main({waiter, waiter, {wake}});
    return brute_force(program, MemoryModel::kSc);
  };
  EXPECT_TRUE(run(signal()).outcomes.empty());
  EXPECT_EQ(run(broadcast()).outcomes.size(), 2u) << "either may take the mutex first";
  // Two signals wake two, in either order.
  const Truth twice = brute_force(with_main({waiter, waiter, {signal(), signal()}}), MemoryModel::kSc);
  EXPECT_EQ(twice.outcomes.size(), 2u);
  EXPECT_TRUE(twice.deadlock);
}

TEST(OracleSynchronisation, AWokenThreadCompetesForTheMutex) {
  // The signaller can take the mutex again before the waiter resumes.
  const Program program = with_main(
      {{lock(), condition_wait(), load(0, 0), unlock()}, {lock(), signal(), unlock(), lock(), store(0, 1), unlock()}});
  EXPECT_EQ(brute_force(program, MemoryModel::kSc).outcomes.size(), 2u);
}

TEST(OracleSynchronisation, TheLastAtABarrierIsSerial) {
  Program program = with_main({{barrier(0)}, {barrier(0)}});
  program.barrier_counts[0] = 2;
  expect_everywhere(program, 2, 2, false);
  program.barrier_counts[0] = 3;
  expect_everywhere(program, 0, 0, true);
}

TEST(OracleSynchronisation, ABarrierSeparatesRounds) {
  Program program =
      with_main({{store(0, 1), barrier(0), load(1, 8), barrier(0)}, {store(8, 1), barrier(0), load(1, 0), barrier(0)}});
  program.barrier_counts[0] = 2;
  for (const MemoryModel model : kModels) {
    const Truth truth = brute_force(program, model);
    EXPECT_EQ(truth.classes, 4u) << "who is serial, twice";
    for (const Outcome& outcome : truth.outcomes) EXPECT_TRUE(outcome.at("t1r1") == 1 && outcome.at("t2r1") == 1);
  }
}

TEST(OracleSynchronisation, CreationAndJoinDrainTheBuffer) {
  Program program;
  program.threads.resize(3);
  program.threads[0].operations = {store(0, 1), create(1), join(1), load(0, 8), join(2), load(1, 16)};
  program.threads[1].operations = {load(0, 0), create(2), store(8, 1)};
  program.threads[2].operations = {store(16, 1)};
  number_operations(program);
  for (const MemoryModel model : kModels) {
    const Truth truth = brute_force(program, model);
    EXPECT_EQ(truth.outcomes, (std::set<Outcome>{{{"t0r0", 1}, {"t0r1", 1}, {"t1r0", 1}}}));
  }
}

TEST(OracleSynchronisation, AFailingAssertionEndsTheRun) {
  const Program program = with_main({{load(0, 0), assert_not(0, 1)}, {store(0, 1), load(0, 8), assert_not(0, 7)}});
  const Truth truth = brute_force(program, MemoryModel::kSc);
  const int first = program.threads[1].operations[1].number;
  EXPECT_EQ(truth.failing_assertions, std::set<int>{first});
  EXPECT_EQ(truth.outcomes.size(), 1u);

  // Between the addition and the assertion that fails after it, another thread may see its result.
  const Program quick = with_main({{add(0, 0, 1), assert_not(0, 0)}, {load(0, 0), assert_not(0, 1)}});
  EXPECT_EQ(brute_force(quick, MemoryModel::kSc).failing_assertions,
            (std::set<int>{quick.threads[1].operations[1].number, quick.threads[2].operations[1].number}));
}

}  // namespace
}  // namespace heddle::oracle
