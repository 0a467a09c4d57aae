// SPDX-License-Identifier: Apache-2.0
//
// Free runs: every event of every thread is in the trace, synchronisation is
// numbered as it happened, and what was written survives the target.
#include <map>

#include "execute/free_run_fixture.h"

namespace heddle::tests {
namespace {

constexpr const char* kLocked = R"(
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long counter;
static void *work(void *a) {
  for (int i = 0; i < 20000; ++i) { pthread_mutex_lock(&lock); ++counter; pthread_mutex_unlock(&lock); }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return counter != 60000;
}
)";

TEST_F(FreeRun, WritesEveryEventAndNumbersLocksAsTheyWereTaken) {
  const trace::Trace trace = run(subject(kLocked, false));
  EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_EXIT) << trace.ending.message;
  EXPECT_EQ(trace.ending.detail, 0u);
  ASSERT_EQ(trace.threads.size(), 4u);
  expect_valid(trace);

  // In the order of the lock's numbers the counter goes 0, 1, 2, ...: the
  // numbers agree with what really came first.
  const uint64_t counter = address_of(trace, "counter");
  ASSERT_NE(counter, 0u);
  std::map<uint64_t, uint64_t> stored_after_lock;
  std::map<uint32_t, uint64_t> last_lock;
  size_t loads = 0, stores = 0;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind == HEDDLE_MUTEX_LOCK) last_lock[record.thread] = event.sequence;
    if (record.address != counter) continue;
    loads += record.kind == HEDDLE_LOAD;
    stores += record.kind == HEDDLE_STORE;
    if (record.kind == HEDDLE_STORE) stored_after_lock[last_lock[record.thread]] = record.value;
  }
  EXPECT_EQ(stores, 60000u);
  EXPECT_EQ(loads, 60001u);
  uint64_t expected = 0;
  for (const auto& [sequence, value] : stored_after_lock) ASSERT_EQ(value, ++expected) << "lock " << sequence;
}

TEST_F(FreeRun, AForkedChildWritesNothing) {
  const trace::Trace trace = run(subject(R"(
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int x;
int main(void) {
  x = 1;
  if (fork() == 0) { for (int i = 0; i < 100000; ++i) x = 7; _exit(5); }
  int status = 0;
  wait(&status);
  x = 2;
  return WEXITSTATUS(status) != 5;
}
)",
                                         false));
  EXPECT_EQ(trace.ending.detail, 0u);
  const uint64_t x = address_of(trace, "x");
  std::vector<uint64_t> values;
  for (const trace::Event& event : trace.events)
    if (event.record.kind == HEDDLE_STORE && event.record.address == x) values.push_back(event.record.value);
  EXPECT_EQ(values, (std::vector<uint64_t>{1, 2}));
}

TEST_F(FreeRun, WhatWasWrittenSurvivesAKill) {
  const trace::Trace trace = run(subject(R"(
#include <signal.h>
#include <unistd.h>
static volatile long n;
int main(void) {
  for (n = 0; n < 500000; ++n) {}
  kill(getpid(), SIGKILL);
  return 0;
}
)",
                                         false));
  EXPECT_FALSE(trace.complete);
  uint64_t most = 0;
  const uint64_t n = address_of(trace, "n");
  for (const trace::Event& event : trace.events)
    if (event.record.kind == HEDDLE_STORE && event.record.address == n) most = std::max(most, event.record.value);
  EXPECT_GE(most, 499000u) << "of 500000 before the kill";
}

TEST_F(FreeRun, ASmallChannelMakesTheTargetWaitAndLosesNothing) {
  execute::FreeRunOptions options;
  options.chunks = 5;
  const trace::Trace trace = run(subject(kLocked, false), options);
  EXPECT_EQ(trace.ending.detail, 0u);
  size_t locks = 0;
  for (const trace::Event& event : trace.events) locks += event.record.kind == HEDDLE_MUTEX_LOCK;
  EXPECT_EQ(locks, 60000u);
}

}  // namespace
}  // namespace heddle::tests
