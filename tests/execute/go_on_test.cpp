// SPDX-License-Identifier: Apache-2.0
//
// RunRequest::go_on: a failure stops its thread only; exits come last; the end
// of a run says what each thread would do next.
#include <gtest/gtest.h>

#include <algorithm>

#include "execute/target_for_test.h"
#include "schedule/from_trace.h"
#include "trace/validate.h"

namespace heddle::tests {
namespace {

constexpr const char* kTwoFail = R"(
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, done;
static void *asserts(void *a) { pthread_mutex_lock(&lock); x = 1; assert(x == 2); return a; }
static void *aborts(void *a) { x = 5; abort(); return a; }
static void *locks(void *a) { done = 1; pthread_mutex_lock(&lock); return a; }
static void *works(void *a) { for (int i = 0; i < 5; ++i) done = i; return a; }
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, asserts, 0);
  pthread_create(&t[1], 0, aborts, 0);
  pthread_create(&t[2], 0, locks, 0);
  pthread_create(&t[3], 0, works, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  return 0;
}
)";

constexpr const char* kCrashes = R"(
#include <pthread.h>
static volatile int done;
static void *crashes(void *a) { asm volatile("ud2"); return a; }
static void *works(void *a) { done = 1; done = 2; return a; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, crashes, 0);
  pthread_create(&t, 0, works, 0);
  pthread_join(t, 0);
  return 3;
}
)";

constexpr const char* kExitsEarly = R"(
#include <pthread.h>
static volatile int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *blocks(void *a) { pthread_mutex_lock(&lock); return a; }
static void *works(void *a) { for (int i = 0; i < 5; ++i) done = i; return a; }
int main(void) {
  pthread_t s, t;
  pthread_mutex_lock(&lock);
  pthread_create(&s, 0, blocks, 0);
  pthread_create(&t, 0, works, 0);
  return 3;
}
)";

execute::RunRequest going_on(HeddleStrategy strategy = HEDDLE_STRATEGY_DEFAULT, uint64_t seed = 0) {
  execute::RunRequest request;
  request.go_on = true;
  request.strategy = strategy;
  request.seed = seed;
  return request;
}

size_t count(const trace::Trace& trace, uint8_t kind) {
  return static_cast<size_t>(std::count_if(trace.events.begin(), trace.events.end(),
                                           [&](const trace::Event& event) { return event.record.kind == kind; }));
}

// What the thread waits to do at the end, or 0.
uint64_t waits_to(const trace::Trace& trace, const std::string& thread) {
  for (const trace::Event& event : trace.events) {
    if (event.record.kind == HEDDLE_WAITING && trace.thread_name(event.record.thread) == thread)
      return event.record.value2;
  }
  return 0;
}

trace::Trace run(execute::Executor& executor, const execute::RunRequest& request) {
  auto done = executor.run(request);
  EXPECT_TRUE(done);
  const trace::Trace trace = executor.to_trace(*done, request);
  const auto problems = trace::validate(trace);
  EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems);
  return trace;
}

void expect_replays(execute::Executor& executor, const trace::Trace& trace) {
  const schedule::Schedule schedule = schedule::from_trace(trace);
  execute::RunRequest request = going_on();
  request.prefix = &schedule;
  const trace::Trace again = run(executor, request);
  EXPECT_EQ(again.ending, trace.ending) << again.ending.message;
  EXPECT_EQ(again.events, trace.events);
}

class GoOn : public testing::TestWithParam<execute::Carrier> {
 protected:
  std::unique_ptr<execute::Executor> start(const char* text) {
    execute::ExecutorOptions options;
    options.carrier = GetParam();
    return start_text(text, options);
  }
};

TEST_P(GoOn, EveryThreadGoesAsFarAsItCan) {
  auto executor = start(kTwoFail);
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const trace::Trace trace = run(*executor, going_on(seed ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_DEFAULT, seed));
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_FAILURE) << trace.ending.message;
    // If the third thread has the lock first, the first one gets it never: it ends with it.
    const bool asserted = waits_to(trace, "T0.0") == 0;
    EXPECT_EQ(count(trace, HEDDLE_FAIL), asserted ? 2u : 1u);
    EXPECT_EQ(waits_to(trace, "T0.0") == HEDDLE_MUTEX_LOCK, !asserted);
    EXPECT_EQ(waits_to(trace, "T0.2") == HEDDLE_MUTEX_LOCK, asserted);
    EXPECT_EQ(waits_to(trace, "T0"), HEDDLE_THREAD_JOIN);
    EXPECT_EQ(waits_to(trace, "T0.3"), 0u) << "it has ended";
    expect_replays(*executor, trace);
  }
}

TEST_P(GoOn, TheFirstFailureIsTheEnding) {
  auto executor = start(kTwoFail);
  const trace::Trace trace = run(*executor, going_on());
  EXPECT_EQ(trace.ending.detail, uint64_t{HEDDLE_FAILURE_ASSERTION});
  EXPECT_EQ(trace.ending.message, "x == 2");
}

TEST_P(GoOn, WithoutItTheFirstFailureEndsTheRun) {
  auto executor = start(kTwoFail);
  const trace::Trace trace = run(*executor, {});
  EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_FAILURE);
  EXPECT_EQ(count(trace, HEDDLE_FAIL), 1u);
  EXPECT_EQ(count(trace, HEDDLE_WAITING), 0u);
}

TEST_P(GoOn, ACrashStopsItsThreadAndTheProcessEndsAfterTheRun) {
  auto executor = start(kCrashes);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const trace::Trace trace = run(*executor, going_on(seed ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_DEFAULT, seed));
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_FAILURE) << trace.ending.message;
    EXPECT_EQ(trace.ending.detail, uint64_t{HEDDLE_FAILURE_SIGNAL});
    EXPECT_EQ(count(trace, HEDDLE_THREAD_END), 1u);
    EXPECT_EQ(count(trace, HEDDLE_EXIT), 1u);
    const bool forks = executor->isolation().isolation == execute::Isolation::kFork;  // then only a child dies
    EXPECT_EQ(executor->processes_started(), forks ? 1 : 2 * seed + 1);
    expect_replays(*executor, trace);
  }
}

TEST_P(GoOn, ExitComesLastAndBlockedThreadsDoNotMind) {
  auto executor = start(kExitsEarly);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const trace::Trace trace = run(*executor, going_on(seed ? HEDDLE_STRATEGY_PCT : HEDDLE_STRATEGY_DEFAULT, seed));
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_EXIT) << trace.ending.message;
    EXPECT_EQ(trace.ending.detail, 3u);
    EXPECT_EQ(count(trace, HEDDLE_THREAD_END), 1u);
    EXPECT_EQ(waits_to(trace, "T0.0"), uint64_t{HEDDLE_MUTEX_LOCK});
    EXPECT_EQ(count(trace, HEDDLE_WAITING), 1u);
    expect_replays(*executor, trace);
  }
}

TEST_P(GoOn, AStepMayNameTheExitEarlier) {
  auto executor = start(kExitsEarly);
  const trace::Trace usual = run(*executor, {});  // main goes on to its end
  ASSERT_EQ(count(usual, HEDDLE_THREAD_END), 0u);
  const schedule::Schedule schedule = schedule::from_trace(usual);
  execute::RunRequest request = going_on();
  request.prefix = &schedule;
  const trace::Trace trace = run(*executor, request);
  EXPECT_EQ(trace.ending, usual.ending) << trace.ending.message;
  EXPECT_EQ(waits_to(trace, "T0.0"), uint64_t{HEDDLE_THREAD_START});
  EXPECT_EQ(waits_to(trace, "T0.1"), uint64_t{HEDDLE_THREAD_START});
}

INSTANTIATE_TEST_SUITE_P(Carriers, GoOn, testing::Values(execute::Carrier::kFiber, execute::Carrier::kThread),
                         [](const auto& info) { return info.param == execute::Carrier::kFiber ? "fiber" : "thread"; });

}  // namespace
}  // namespace heddle::tests
