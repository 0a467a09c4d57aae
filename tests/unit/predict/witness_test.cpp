// SPDX-License-Identifier: Apache-2.0
#include "predict/witness.h"

#include <gtest/gtest.h>

#include <vector>

#include "trace/export_std.h"

namespace heddle::predict {
namespace {

// T0:   0 creates T0.0, 1 writes x, 2 locks, 3 writes y, 4 unlocks, 5 joins T0.0
// T0.0: 0 starts, 1 locks, 2 reads y, 3 unlocks, 4 reads x, 5 ends
class WitnessTest : public testing::Test {
 protected:
  WitnessTest() {
    auto read = trace::import_std(
        "A|fork(B)|1\nA|w(x)|2\nA|acq(l)|3\nA|w(y)|4\nA|rel(l)|5\n"
        "B|acq(l)|6\nB|r(y)|7\nB|rel(l)|8\nB|r(x)|9\nA|join(B)|10\n",
        "test");
    EXPECT_TRUE(read);
    trace_ = std::move(*read);
  }

  std::string check(const std::vector<causal::EventId>& events, size_t history = 0,
                    std::vector<causal::EventId> last = {}) {
    std::vector<property::PlannedStep> plan;
    for (const causal::EventId event : events) plan.push_back({schedule::StepKind::kOp, event, 0, 0});
    Witness witness(trace_);
    return witness.check(history, plan, last);
  }

  trace::Trace trace_;
};

TEST_F(WitnessTest, TheOrderOfTheTraceHolds) {
  std::vector<causal::EventId> all;
  for (const trace::Event& event : trace_.events) all.push_back({event.record.thread, event.record.index});
  EXPECT_EQ(check(all), "");
}

TEST_F(WitnessTest, AnotherOrderHolds) { EXPECT_EQ(check({{0, 0}, {1, 0}, {0, 1}, {1, 1}}), ""); }

TEST_F(WitnessTest, GoesOnFromWhereTheTraceStands) {
  EXPECT_EQ(check({{1, 0}, {0, 4}, {1, 1}}, 4), "");
  EXPECT_EQ(check({{1, 0}, {1, 1}}, 4), "T0.0 1: its lock is held");
}

TEST_F(WitnessTest, AReadFindsWhatItFound) {
  EXPECT_EQ(check({{0, 0}, {1, 0}, {1, 1}, {1, 2}}), "T0.0 2: it reads another value");
  EXPECT_EQ(check({{0, 0}, {1, 0}, {1, 1}, {1, 2}}, 0, {{1, 2}}), "");  // unless it is the end
}

TEST_F(WitnessTest, ALockHasOneHolder) {
  EXPECT_EQ(check({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}}), "T0 2: its lock is held");
}

TEST_F(WitnessTest, AThreadDoesItsOperationsInOrder) {
  EXPECT_EQ(check({{0, 0}, {0, 2}}), "T0 2: it is not what its thread does next");
  EXPECT_EQ(check({{0, 0}, {0, 9}}), "T0 9: it is not in the trace");
}

TEST_F(WitnessTest, AThreadStartsWhenItIsCreated) { EXPECT_EQ(check({{1, 0}}), "T0.0 0: its thread is not created"); }

TEST_F(WitnessTest, WhoIsJoinedHasEnded) {
  EXPECT_EQ(check({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}), "T0 5: the thread to join has not ended");
}

TEST_F(WitnessTest, AHaltLeavesNobodyThatCanGoOn) {
  Witness witness(trace_);
  const std::vector<property::PlannedStep> plan = {{schedule::StepKind::kOp, {0, 0}, 0, 0},
                                                   {schedule::StepKind::kOp, {1, 0}, 0, 0}};
  EXPECT_EQ(witness.check_halt(plan), "T0: it can go on");
}

// T0:   0 creates T0.0, 1 creates T0.1, then locks l, m, unlocks both, joins
// T0.0: 0 starts, 1 locks m, 2 locks l, ...; T0.1 starts and locks n
// The machine alone: what objects allow.
class WitnessMachineTest : public testing::Test {
 protected:
  static HeddleRecord operation(uint32_t thread, HeddleKind kind, uint64_t address, uint64_t value = 0,
                                uint8_t flags = 0) {
    HeddleRecord record = {};
    record.thread = thread;
    record.kind = static_cast<uint8_t>(kind);
    record.address = address;
    record.value = value;
    record.flags = flags;
    return record;
  }
  // Performs it if it can happen; why not.
  std::string perform(const HeddleRecord& record) {
    std::string refused = machine_.refusal(record, true);
    if (refused.empty()) machine_.perform(record);
    return refused;
  }
  WitnessMachine machine_{3, {}};
};

TEST_F(WitnessMachineTest, AConditionWaitGivesItsMutexBackOnce) {
  for (const uint64_t depth : {1u, 2u}) EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_LOCK, 8, depth)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_COND_WAIT, 16, 8)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_LOCK, 8, 1)), "its lock is held");
  EXPECT_EQ(perform(operation(1, HEDDLE_COND_DESTROY, 16)), "a thread waits there");
  EXPECT_EQ(perform(operation(1, HEDDLE_COND_BROADCAST, 16, 1)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_COND_DESTROY, 16)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_COND_RESUME, 16, 8)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_UNLOCK, 8, 1)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_LOCK, 8, 1)), "its lock is held");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_UNLOCK, 8, 0)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_LOCK, 8, 1)), "");
}

TEST_F(WitnessMachineTest, AConditionWaitThatFailsKeepsTheMutex) {
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_LOCK, 8, 1)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_COND_WAIT, 16, 8, HEDDLE_FLAG_FAILED)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_LOCK, 8, 1)), "its lock is held");
  EXPECT_EQ(perform(operation(0, HEDDLE_COND_DESTROY, 16)), "");
}

TEST_F(WitnessMachineTest, AMisuseOfAnotherThreadsLock) {
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_UNLOCK, 8)), "its lock has another owner");
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_LOCK, 8, 1)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_MUTEX_UNLOCK, 8, 0, HEDDLE_FLAG_MISUSE)), "its lock has another owner");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_DESTROY, 8)), "its lock is held");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_DESTROY, 8, 0, HEDDLE_FLAG_FAILED | HEDDLE_FLAG_MISUSE)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_FAIL, 8, HEDDLE_FAILURE_MISUSE)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_LOCK, 8, 1)), "its lock is held");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_UNLOCK, 8, 0, HEDDLE_FLAG_MISUSE)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_MUTEX_LOCK, 8, 1)), "");
}

TEST_F(WitnessMachineTest, ReadersWaitBehindAWriterThatIsLinedUp) {
  EXPECT_EQ(perform(operation(0, HEDDLE_RWLOCK_READ, 8, 1)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_RWLOCK_LINE_UP, 8)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_RWLOCK_READ, 8, 2)), "a writer is lined up");
  EXPECT_EQ(perform(operation(2, HEDDLE_RWLOCK_TRYREAD, 8, 1, HEDDLE_FLAG_FAILED)), "");
  EXPECT_EQ(machine_.kept_waiting_by(operation(0, HEDDLE_RWLOCK_READ, 8)), std::vector<uint32_t>{1});
  EXPECT_EQ(perform(operation(1, HEDDLE_RWLOCK_TIMEDWRITE, 8, 0, HEDDLE_FLAG_TIMEOUT)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_RWLOCK_READ, 8, 2)), "");
}

TEST_F(WitnessMachineTest, AnInitialisationThatFailedIsBegunAgain) {
  EXPECT_EQ(perform(operation(0, HEDDLE_ONCE_ENTER, 8, 1)), "");
  EXPECT_EQ(perform(operation(0, HEDDLE_ONCE_DONE, 8, 0, HEDDLE_FLAG_FAILED)), "");
  EXPECT_EQ(perform(operation(1, HEDDLE_ONCE_ENTER, 8, 0)), "it is not initialised");
  EXPECT_EQ(perform(operation(1, HEDDLE_ONCE_ENTER, 8, 1)), "");
}

TEST(WitnessOfACircle, EachWaitsForOneOfThem) {
  auto trace = trace::import_std(
      "A|fork(B)|1\nA|fork(C)|1\nA|acq(l)|2\nA|acq(m)|3\nA|rel(m)|4\nA|rel(l)|5\n"
      "B|acq(m)|6\nB|acq(l)|7\nB|rel(l)|8\nB|rel(m)|9\nC|acq(n)|10\nC|rel(n)|11\nA|join(B)|12\n",
      "test");
  ASSERT_TRUE(trace);
  const auto check = [&](const std::vector<causal::EventId>& events, std::vector<uint32_t> threads) {
    std::vector<property::PlannedStep> plan;
    for (const causal::EventId event : events) plan.push_back({schedule::StepKind::kOp, event, 0, 0});
    return Witness(*trace).check_circle(0, plan, threads);
  };
  const std::vector<causal::EventId> both = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {0, 2}, {1, 1}};
  EXPECT_EQ(check(both, {0, 1}), "");
  EXPECT_EQ(check(both, {0, 1, 2}), "T0.1: none of them keeps it waiting");
  EXPECT_EQ(check(both, {0}), "T0: none of them keeps it waiting") << "it waits for another";
  EXPECT_EQ(check({{0, 0}, {0, 1}, {1, 0}, {0, 2}}, {0, 1}), "T0: none of them keeps it waiting");
  EXPECT_EQ(check({{0, 0}, {0, 1}, {1, 0}, {0, 2}, {1, 2}}, {0, 1}), "T0.0 2: it is not what its thread does next");
  EXPECT_EQ(check({}, {}), "nobody waits");
}

}  // namespace
}  // namespace heddle::predict
