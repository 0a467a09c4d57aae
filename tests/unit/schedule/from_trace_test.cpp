// SPDX-License-Identifier: Apache-2.0
//
// Traces made by hand, and the steps that they must give.
#include "schedule/from_trace.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle::schedule {
namespace {

class HandMadeRun {
 public:
  explicit HandMadeRun(uint32_t threads) {
    trace_.header.module_hash = "abc";
    trace_.header.instrumentation_version = 1;
    trace_.threads.push_back({});
    for (uint32_t i = 1; i < threads; ++i) trace_.threads.push_back({0, i - 1});
    trace_.sites = {{}, {"a.c", 4, 2, "main", "x"}};
  }

  HandMadeRun& add(uint32_t thread, HeddleKind kind, uint64_t address = 0, uint64_t value = 0, uint8_t flags = 0) {
    trace::Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.flags = flags;
    event.record.thread = thread;
    event.record.address = address;
    event.record.value = value;
    event.record.index = trace::is_visible(event.record) ? next_[thread]++ : next_[thread];
    event.sequence = trace_.events.size();
    trace_.events.push_back(event);
    return *this;
  }

  trace::Trace& trace() { return trace_; }

  // The steps alone, one per line.
  std::string steps() const {
    const std::string text = write_schedule(from_trace(trace_));
    const std::string last_header_line = "memory \"sc\"\n";
    const size_t begin = text.find(last_header_line) + last_header_line.size();
    return text.substr(begin, text.size() - begin - 4);
  }

 private:
  trace::Trace trace_;
  std::map<uint32_t, uint32_t> next_;
};

constexpr uint64_t kWord = 0x1000;
constexpr uint8_t kTimeout = HEDDLE_FLAG_TIMEOUT;
constexpr uint8_t kSpurious = HEDDLE_FLAG_SPURIOUS;

TEST(FromTrace, TakesTheHeader) {
  HandMadeRun run(1);
  const Schedule schedule = from_trace(run.trace());
  EXPECT_EQ(schedule.module_hash, "abc");
  EXPECT_EQ(schedule.instrumentation_version, 1u);
  EXPECT_EQ(schedule.memory_model, MemoryModel::kSc);
  run.trace().header.memory_model = "tso";
  EXPECT_EQ(from_trace(run.trace()).memory_model, MemoryModel::kTso);
}

TEST(FromTrace, OneStepPerVisibleEventWithItsSiteAndPlace) {
  HandMadeRun run(2);
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1).add(1, HEDDLE_THREAD_START).add(1, HEDDLE_BRANCH).add(0, HEDDLE_LOAD, kWord);
  run.trace().events.back().record.site = 1;
  EXPECT_EQ(run.steps(), "op T0 0\nop T0.0 0\nop T0 1 @1 \"a.c:4:2\"\n");
}

TEST(FromTrace, ATimeOutOfAConditionIsItsLeave) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_COND_WAIT).add(0, HEDDLE_COND_LEAVE, 0, 0, kTimeout).add(0, HEDDLE_COND_RESUME, 0, 0, kTimeout);
  run.add(0, HEDDLE_COND_WAIT).add(0, HEDDLE_COND_LEAVE, 0, 0, kSpurious).add(0, HEDDLE_COND_RESUME, 0, 0, kSpurious);
  EXPECT_EQ(run.steps(), "op T0 0\ntimeout T0 1\nop T0 2\nop T0 3\nspurious T0 4\nop T0 5\n");
}

TEST(FromTrace, TimedOperationsThatRanOut) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_MUTEX_TIMEDLOCK, 0, 0, kTimeout).add(0, HEDDLE_SEM_TIMEDWAIT, 0, 0, kTimeout);
  run.add(0, HEDDLE_THREAD_JOIN, 0, 0, kTimeout).add(0, HEDDLE_SEM_TIMEDWAIT);
  run.add(0, HEDDLE_AWAIT, kWord).add(0, HEDDLE_AWAIT_RESUME, kWord, 0, kSpurious);
  EXPECT_EQ(run.steps(), "timeout T0 0\ntimeout T0 1\ntimeout T0 2\nop T0 3\nop T0 4\nspurious T0 5\n");
}

TEST(FromTrace, AStoreThatReachesMemoryIsAStepAndADroppedOneIsNot) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_STORE, kWord).add(0, HEDDLE_STORE, kWord).add(0, HEDDLE_LOAD, kWord);
  run.add(0, HEDDLE_FLUSH, kWord).trace().events.back().record.index = 0;
  run.add(0, HEDDLE_FLUSH, kWord, 0, HEDDLE_FLAG_FAILED).trace().events.back().record.index = 1;
  EXPECT_EQ(run.steps(), "op T0 0\nop T0 1\nop T0 2\nflush T0 0\n");
}

TEST(FromTrace, ChoicesCarryTheirValue) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_NONDET, 0, static_cast<uint64_t>(-7));
  EXPECT_EQ(run.steps(), "nondet T0 0 = -7\n");
}

TEST(FromTrace, ASignalIsFollowedByWhomItWoke) {
  HandMadeRun run(3);
  run.add(2, HEDDLE_COND_WAIT).add(0, HEDDLE_COND_SIGNAL, 0, 3).add(0, HEDDLE_COND_SIGNAL, 0, 0);
  EXPECT_EQ(run.steps(), "op T0.1 0\nop T0 0\nwake T0.1 1\nop T0 1\n");
}

TEST(FromTrace, WritesOfACallAreNoSteps) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_EXTERN_CALL).add(0, HEDDLE_EXTERN_WRITE, kWord).add(0, HEDDLE_YIELD);
  EXPECT_EQ(run.steps(), "op T0 0\nop T0 2\n");
}

TEST(FromTrace, AFailureNamesNoSite) {
  HandMadeRun run(1);
  run.add(0, HEDDLE_FAIL, 0, HEDDLE_FAILURE_NULL);
  run.trace().events.back().record.site = 1;
  EXPECT_EQ(run.steps(), "op T0 0 \"a.c:4:2\"\n");
}

TEST(FromTrace, ANotificationWakesWhoResumesFirst) {
  HandMadeRun run(3);
  run.add(1, HEDDLE_AWAIT, kWord).add(2, HEDDLE_AWAIT, kWord);
  run.add(0, HEDDLE_NOTIFY, kWord, 1).add(2, HEDDLE_AWAIT_RESUME, kWord);
  run.add(0, HEDDLE_NOTIFY, kWord, 1).add(1, HEDDLE_AWAIT_RESUME, kWord);
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0.1 0\nop T0 0\nwake T0.1 1\nop T0.1 1\nop T0 1\nwake T0.0 1\nop T0.0 1\n");
}

TEST(FromTrace, ANotificationOfManyWakesThemAll) {
  HandMadeRun run(3);
  run.add(1, HEDDLE_AWAIT, kWord).add(2, HEDDLE_AWAIT, kWord).add(0, HEDDLE_NOTIFY, kWord, 2);
  run.add(1, HEDDLE_AWAIT_RESUME, kWord).add(2, HEDDLE_AWAIT_RESUME, kWord);
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0.1 0\nop T0 0\nwake T0.0 1\nwake T0.1 1\nop T0.0 1\nop T0.1 1\n");
}

TEST(FromTrace, NotificationsSkipWaitsThatTimedOutOrElsewhere) {
  HandMadeRun run(4);
  run.add(1, HEDDLE_AWAIT, kWord).add(2, HEDDLE_AWAIT, kWord + 8).add(3, HEDDLE_AWAIT, kWord);
  run.add(0, HEDDLE_NOTIFY, kWord, 1).add(1, HEDDLE_AWAIT_RESUME, kWord, 0, kTimeout);
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0.1 0\nop T0.2 0\nop T0 0\nwake T0.2 1\ntimeout T0.0 1\n");
}

TEST(FromTrace, AWaitThatFailedIsNotAWaiter) {
  HandMadeRun run(2);
  run.add(1, HEDDLE_AWAIT, kWord, 0, HEDDLE_FLAG_FAILED).add(0, HEDDLE_NOTIFY, kWord, 1);
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0 0\n");
}

TEST(FromTrace, AmongWaitersThatNeverResumeTheLongestWaiting) {
  HandMadeRun run(3);
  run.add(2, HEDDLE_AWAIT, kWord).add(1, HEDDLE_AWAIT, kWord).add(0, HEDDLE_NOTIFY, kWord, 1);
  EXPECT_EQ(run.steps(), "op T0.1 0\nop T0.0 0\nop T0 0\nwake T0.1 1\n");
}

TEST(FromTrace, NoWakeStepsWhereNotAllWaitersAreKnown) {
  HandMadeRun run(3);
  run.add(1, HEDDLE_AWAIT, kWord).add(0, HEDDLE_NOTIFY, kWord, 2).add(1, HEDDLE_AWAIT_RESUME, kWord);
  run.add(0, HEDDLE_NOTIFY, kWord, 1);  // the waiter from before does not count again
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0 0\nop T0.0 1\nop T0 1\n");
}

TEST(FromTrace, TheSameThreadMayWaitAgain) {
  HandMadeRun run(2);
  for (int round = 0; round < 2; ++round) {
    run.add(1, HEDDLE_AWAIT, kWord).add(0, HEDDLE_NOTIFY, kWord, 1).add(1, HEDDLE_AWAIT_RESUME, kWord);
  }
  EXPECT_EQ(run.steps(), "op T0.0 0\nop T0 0\nwake T0.0 1\nop T0.0 1\nop T0.0 2\nop T0 1\nwake T0.0 3\nop T0.0 3\n");
}

}  // namespace
}  // namespace heddle::schedule
