// SPDX-License-Identifier: Apache-2.0
//
// Each rule of validation finds what breaks it, and nothing in traces that are
// as they should be.
#include "trace/validate.h"

#include <gtest/gtest.h>

#include <functional>

#include "trace_builder.h"

namespace heddle::trace {
namespace {

std::string all_problems(const Trace& trace) { return problems_text(trace, validate(trace)); }

TEST(Validate, GoodTraceHasNoProblems) { EXPECT_EQ(all_problems(counter_trace()), ""); }

TEST(Validate, EmptyTraceHasNoProblems) { EXPECT_EQ(all_problems(Trace{}), ""); }

// A change of the good trace that one rule must notice, as its first finding.
struct Breach {
  const char* name;
  const char* rule;
  const char* text;
  std::function<void(Trace&)> make;
};

void PrintTo(const Breach& breach, std::ostream* out) { *out << breach.name; }

class BrokenTrace : public testing::TestWithParam<Breach> {};

TEST_P(BrokenTrace, IsNoticed) {
  Trace trace = counter_trace();
  GetParam().make(trace);
  const std::vector<Problem> problems = validate(trace);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].rule, GetParam().rule) << problems_text(trace, problems);
  EXPECT_NE(problems[0].text.find(GetParam().text), std::string::npos) << problems_text(trace, problems);
}

void drop(Trace& trace, size_t place) {
  const uint32_t thread = trace.events[place].record.thread;
  trace.events.erase(trace.events.begin() + static_cast<long>(place));
  for (size_t i = place; i < trace.events.size(); ++i) {
    if (trace.events[i].record.thread == thread) --trace.events[i].record.index;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenTrace,
    testing::Values(
        Breach{"ThreadCycle", "tables", "not created before", [](Trace& t) { t.threads[1].parent = 1; }},
        Breach{"SiteMissing", "tables", "site 4", [](Trace& t) { t.events[3].record.site = 4; }},
        Breach{"ThreadMissing", "tables", "thread 2", [](Trace& t) { t.events[3].record.thread = 2; }},
        Breach{"KindUnknown", "tables", "kind 6", [](Trace& t) { t.events[3].record.kind = 6; }},
        Breach{"IndexSkips", "index", "should be 2", [](Trace& t) { t.events[3].record.index = 3; }},
        Breach{"IndexNotFromZero", "index", "should be 0", [](Trace& t) { t.events[0].record.index = 1; }},
        Breach{"SequenceRepeats", "order", "comes after", [](Trace& t) { t.events[4].sequence = 3; }},
        Breach{"CreateMissing", "threads", "before it was created", [](Trace& t) { drop(t, 0); }},
        Breach{"StartMissing", "threads", "has not started", [](Trace& t) { drop(t, 1); }},
        Breach{"CreatedByAnother", "threads", "is not a child", [](Trace& t) { t.events[0].record.value = 0; }},
        Breach{"StartsTwice", "threads", "starts again",
               [](Trace& t) { t.events[6].record.kind = HEDDLE_THREAD_START; }},
        Breach{"OtherParent", "threads", "its parent is T0", [](Trace& t) { t.events[1].record.value = 1; }},
        Breach{"AfterEnd", "threads", "has ended", [](Trace& t) { t.events[9].record.kind = HEDDLE_THREAD_END; }},
        Breach{"JoinBeforeEnd", "threads", "has not ended", [](Trace& t) { t.events[10].record.kind = HEDDLE_YIELD; }},
        Breach{"JoinOfStranger", "threads", "not in the table", [](Trace& t) { t.events[11].record.value = 5; }},
        Breach{"LockHeldByOther", "locks", "held by T0", [](Trace& t) { t.events[5].record.kind = HEDDLE_YIELD; }},
        Breach{"UnlockByOther", "locks", "held by T0",
               [](Trace& t) { t.events[5].record.kind = t.events[6].record.kind = HEDDLE_YIELD; }},
        Breach{"UnlockOfFree", "locks", "nobody holds it", [](Trace& t) { t.events[2].record.kind = HEDDLE_YIELD; }},
        Breach{"SizeThree", "memory", "size 3", [](Trace& t) { t.events[3].record.size = 3; }},
        Breach{"LoadOfOldValue", "memory", "was last stored as 0x01", [](Trace& t) { t.events[7].record.value = 0; }},
        Breach{"FailureWithoutEvent", "ending", "no event",
               [](Trace& t) { t.ending.outcome = HEDDLE_OUTCOME_FAILURE; }}),
    [](const auto& info) { return info.param.name; });

TEST(Validate, FailedUnlockAndFailedLockMeanNothing) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START);
  build.add(0, HEDDLE_MUTEX_LOCK, 0x10, 1);
  build.add(child, HEDDLE_MUTEX_TRYLOCK, 0x10).flags = HEDDLE_FLAG_FAILED;
  build.add(child, HEDDLE_MUTEX_UNLOCK, 0x10).flags = HEDDLE_FLAG_FAILED;
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(child, HEDDLE_MUTEX_LOCK, 0x10, 1);
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
}

TEST(Validate, ConditionWaitGivesUpTheMutex) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START);
  build.add(0, HEDDLE_MUTEX_LOCK, 0x10, 1);
  build.add(0, HEDDLE_COND_WAIT, 0x20, 0x10);
  build.add(child, HEDDLE_MUTEX_LOCK, 0x10, 1);
  build.add(child, HEDDLE_MUTEX_UNLOCK, 0x10, 0);
  build.add(0, HEDDLE_COND_RESUME, 0x20, 0x10);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(child, HEDDLE_MUTEX_LOCK, 0x10, 1);
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
  build.trace().events.pop_back();
  build.add(child, HEDDLE_YIELD).index = 3;
  build.add(child, HEDDLE_COND_WAIT, 0x20, 0x10).index = 4;
  EXPECT_NE(all_problems(build.trace()).find("does not hold the mutex"), std::string::npos);
}

// glibc gives a recursive mutex back once, whatever its depth.
TEST(Validate, ConditionWaitGivesARecursiveMutexUpOnce) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START);
  for (const uint64_t depth : {1u, 2u}) build.add(0, HEDDLE_MUTEX_LOCK, 0x10, depth).value2 = 1;
  build.add(0, HEDDLE_COND_WAIT, 0x20, 0x10).value2 = 1;
  build.add(0, HEDDLE_COND_RESUME, 0x20, 0x10).value2 = 1;
  for (const uint64_t depth : {1u, 0u}) build.add(0, HEDDLE_MUTEX_UNLOCK, 0x10, depth).value2 = 1;
  build.add(child, HEDDLE_MUTEX_LOCK, 0x10, 1).value2 = 1;
  EXPECT_EQ(all_problems(build.trace()), "");
  build.trace().events.erase(build.trace().events.end() - 2);  // the last unlock
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
}

TEST(Validate, AConditionWaitThatFailsDoesNotBegin) {
  TraceBuilder build;
  build.add(0, HEDDLE_COND_WAIT, 0x20, 0x10).flags = HEDDLE_FLAG_FAILED;
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(0, HEDDLE_COND_RESUME, 0x20, 0x10);
  EXPECT_NE(all_problems(build.trace()).find("was not waiting"), std::string::npos);
}

TEST(Validate, AMisuseGivesALockBack) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START);
  build.add(0, HEDDLE_MUTEX_LOCK, 0x10, 1);
  build.add(0, HEDDLE_MUTEX_DESTROY, 0x10).flags = HEDDLE_FLAG_FAILED | HEDDLE_FLAG_MISUSE;  // it lives on
  build.add(0, HEDDLE_FAIL, 0x10, HEDDLE_FAILURE_MISUSE);
  build.add(child, HEDDLE_MUTEX_UNLOCK, 0x10).flags = HEDDLE_FLAG_MISUSE;
  build.add(child, HEDDLE_MUTEX_LOCK, 0x10, 1);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.trace().events[5].record.flags = 0;
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
}

TEST(Validate, AMisuseIsNotTheFailureThatEndedTheRun) {
  TraceBuilder build;
  build.add(0, HEDDLE_FAIL, 0x10, HEDDLE_FAILURE_MISUSE);
  build.add(0, HEDDLE_EXIT);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.trace().ending.outcome = HEDDLE_OUTCOME_FAILURE;
  build.trace().ending.detail = HEDDLE_FAILURE_ASSERTION;
  EXPECT_NE(all_problems(build.trace()).find("no event says which"), std::string::npos);
}

TEST(Validate, ReadersWaitBehindAWriterThatIsLinedUp) {
  for (const uint64_t type : {0u, 2u}) {
    TraceBuilder build;
    const uint32_t child = build.thread(0);
    build.add(0, HEDDLE_THREAD_CREATE, 0, child);
    build.add(child, HEDDLE_THREAD_START);
    build.add(0, HEDDLE_RWLOCK_READ, 0x10, 1).value2 = type;
    build.add(child, HEDDLE_RWLOCK_LINE_UP, 0x10).value2 = type;
    build.add(child, HEDDLE_RWLOCK_TIMEDWRITE, 0x10).flags = HEDDLE_FLAG_TIMEOUT;
    build.add(0, HEDDLE_RWLOCK_READ, 0x10, 2).value2 = type;
    EXPECT_EQ(all_problems(build.trace()), "");
    build.trace().events.erase(build.trace().events.end() - 2);  // the writer is there still
    EXPECT_EQ(all_problems(build.trace()).find("lined up") != std::string::npos, type == 2);
  }
}

// The library counts readers; who takes one off too many keeps writers away.
TEST(Validate, AReaderTooFewKeepsWritersAway) {
  TraceBuilder build;
  build.add(0, HEDDLE_RWLOCK_UNLOCK, 0x10).flags = HEDDLE_FLAG_MISUSE;
  build.add(0, HEDDLE_RWLOCK_READ, 0x10);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(0, HEDDLE_RWLOCK_UNLOCK, 0x10);
  build.add(0, HEDDLE_RWLOCK_WRITE, 0x10);
  EXPECT_NE(all_problems(build.trace()).find("unlocked too often"), std::string::npos);
}

TEST(Validate, ReadersShareAndWritersDoNot) {
  TraceBuilder build;
  const uint32_t child = build.thread(0);
  build.add(0, HEDDLE_THREAD_CREATE, 0, child);
  build.add(child, HEDDLE_THREAD_START);
  build.add(0, HEDDLE_RWLOCK_READ, 0x10);
  build.add(child, HEDDLE_RWLOCK_READ, 0x10);
  build.add(child, HEDDLE_RWLOCK_UNLOCK, 0x10);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(child, HEDDLE_RWLOCK_WRITE, 0x10);
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
}

TEST(Validate, CancelledJoinIsNoJoin) {
  Trace trace = counter_trace();
  trace.events[10].record.kind = HEDDLE_YIELD;  // the child has not ended
  EXPECT_NE(all_problems(trace).find("has not ended"), std::string::npos);
  trace.events[11].record.flags = HEDDLE_FLAG_CANCELLED;
  EXPECT_EQ(all_problems(trace), "");
}

// What intervenes between a store and a load of something else.
TEST(Validate, MemoryThatChangedOtherwiseIsNotCompared) {
  for (const HeddleKind kind : {HEDDLE_EXTERN_WRITE, HEDDLE_UNTRACKED, HEDDLE_ALLOC, HEDDLE_STACK_OBJECT}) {
    TraceBuilder build;
    build.add(0, HEDDLE_STORE, 0x1000, 7);
    build.add(0, HEDDLE_LOAD, 0x1000, 8);
    EXPECT_NE(all_problems(build.trace()), "") << kind_name(static_cast<uint8_t>(kind));
    build.trace().events.pop_back();
    build.add(0, kind, 0x0ffe, 16).size = 8;
    build.add(0, HEDDLE_LOAD, 0x1000, 8);
    for (Event& event : build.trace().events) event.record.index = 0;
    for (const Problem& problem : validate(build.trace())) EXPECT_NE(problem.rule, "memory") << problem.text;
  }
}

TEST(Validate, OnlyKnownBytesOfALoadCount) {
  TraceBuilder build;
  build.add(0, HEDDLE_STORE, 0x1002, 0xabcd).size = 2;
  build.add(0, HEDDLE_LOAD, 0x1000, 0xabcd0000u + 0x1234u);
  EXPECT_EQ(all_problems(build.trace()), "");
  build.add(0, HEDDLE_LOAD, 0x1000, 0xabce1234u);
  EXPECT_NE(all_problems(build.trace()).find("the byte at 0x1002"), std::string::npos);
}

TEST(Validate, FreeTraceIsCheckedInTheOrderOfItsNumbers) {
  TraceBuilder build(Mode::kFree);
  const uint32_t child = build.thread(0);
  const auto add = [&](uint32_t thread, HeddleKind kind, uint64_t address, uint64_t value, uint64_t sequence) {
    build.add(thread, kind, address, value);
    build.trace().events.back().sequence = sequence;
  };
  add(0, HEDDLE_THREAD_CREATE, 0, child, 1);
  add(0, HEDDLE_MUTEX_LOCK, 0x10, 1, 2);
  add(0, HEDDLE_MUTEX_UNLOCK, 0x10, 0, 4);
  add(child, HEDDLE_THREAD_START, 0, 0, 3);
  add(child, HEDDLE_MUTEX_LOCK, 0x10, 1, 5);
  EXPECT_EQ(all_problems(build.trace()), "");
  std::swap(build.trace().events[2].sequence, build.trace().events[4].sequence);
  EXPECT_NE(all_problems(build.trace()).find("held by T0"), std::string::npos);
}

TEST(Validate, ReportsNoMoreThanAskedFor) {
  Trace trace = counter_trace();
  for (Event& event : trace.events) event.sequence = 0;
  EXPECT_EQ(validate(trace, 3).size(), 3u);
}

}  // namespace
}  // namespace heddle::trace
