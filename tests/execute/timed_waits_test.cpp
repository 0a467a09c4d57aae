// SPDX-License-Identifier: Apache-2.0
//
// Each kind of timed wait runs out where a step says so, and only there where it
// cannot end otherwise; wake steps choose among the waiters of a signal and of a
// notification.
#include <gtest/gtest.h>

#include "execute/target_for_test.h"
#include "schedule/from_trace.h"

namespace heddle::tests {
namespace {

using schedule::StepKind;

// The second thread waits, with time, for what main gives later; argument 1 says for what.
constexpr const char* kWaits = R"(
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int what;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int word;
static pthread_t other;
static sem_t finish;
static void *sleeper(void *a) { sem_wait(&finish); return a; }
static void *waiter(void *a) {
  struct timespec t = {2000000000, 0}, relative = {5, 0};
  long r = 0;
  switch (what) {
    case 0: r = pthread_mutex_timedlock(&lock, &t); break;
    case 1: r = pthread_rwlock_timedrdlock(&rwlock, &t); break;
    case 2: r = pthread_rwlock_timedwrlock(&rwlock, &t); break;
    case 3: pthread_mutex_lock(&lock); r = pthread_cond_timedwait(&condition, &lock, &t); pthread_mutex_unlock(&lock); break;
    case 4: r = sem_timedwait(&semaphore, &t) ? errno : 0; break;
    case 5: r = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &relative, 0, 0) ? errno : 0; break;
    case 6: r = pthread_timedjoin_np(other, 0, &t); break;
  }
  return (void *)(r == ETIMEDOUT ? 1L : 0L);
}
int main(int argc, char **argv) {
  pthread_t w;
  void *result;
  what = atoi(argv[1]);
  sem_init(&semaphore, 0, 0);
  sem_init(&finish, 0, 0);
  if (what == 6) pthread_create(&other, 0, sleeper, 0);
  if (what == 0) pthread_mutex_lock(&lock);
  if (what == 1 || what == 2) pthread_rwlock_wrlock(&rwlock);
  pthread_create(&w, 0, waiter, 0);
  sleep(1);                       /* the waiter goes first */
  if (what == 0) pthread_mutex_unlock(&lock);
  if (what == 1 || what == 2) pthread_rwlock_unlock(&rwlock);
  if (what == 3) { pthread_mutex_lock(&lock); pthread_cond_signal(&condition); pthread_mutex_unlock(&lock); }
  if (what == 4) sem_post(&semaphore);
  if (what == 5) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  if (what == 6) sem_post(&finish);
  pthread_join(w, &result);
  return result ? 1 : 0;
}
)";

struct Wait {
  const char* name;
  HeddleKind kind;   // of the operation that waits
  HeddleKind gives;  // what lets it end
};
const Wait kKinds[] = {
    {"mutex", HEDDLE_MUTEX_TIMEDLOCK, HEDDLE_MUTEX_UNLOCK},
    {"read_lock", HEDDLE_RWLOCK_TIMEDREAD, HEDDLE_RWLOCK_UNLOCK},
    {"write_lock", HEDDLE_RWLOCK_TIMEDWRITE, HEDDLE_RWLOCK_UNLOCK},
    {"condition", HEDDLE_COND_RESUME, HEDDLE_COND_SIGNAL},
    {"semaphore", HEDDLE_SEM_TIMEDWAIT, HEDDLE_SEM_POST},
    {"futex", HEDDLE_AWAIT_RESUME, HEDDLE_NOTIFY},
    {"join", HEDDLE_THREAD_JOIN, HEDDLE_THREAD_END},
};

class TimedWaits : public testing::TestWithParam<size_t> {};

// Cuts the schedule of a run in which the wait succeeds just before (or just
// after) what lets it end, and lets it run out there.
TEST_P(TimedWaits, RunOutWhereAStepSaysSo) {
  const Wait& wait = kKinds[GetParam()];
  auto directory = base::TemporaryDirectory::create("timed-waits-test");
  ASSERT_TRUE(directory);
  ASSERT_TRUE(base::write_file(directory->path() + "/waits.c", kWaits));
  auto executor = start_program(directory->path() + "/waits.c", {std::to_string(GetParam())});
  auto usual = executor->run({});
  ASSERT_TRUE(usual);
  ASSERT_EQ(usual->ending.outcome, HEDDLE_OUTCOME_EXIT) << usual->ending.message;
  ASSERT_EQ(usual->ending.detail, 0u) << "nothing runs out by itself";
  const trace::Trace trace = executor->to_trace(*usual, {});
  const schedule::Schedule whole = schedule::from_trace(trace);

  const uint32_t waiter = GetParam() == 6 ? 2 : 1;
  schedule::Step out;
  out.kind = StepKind::kTimeout;
  out.thread = schedule::thread_names(trace)[waiter];
  for (const HeddleRecord& record : usual->records) {
    if (record.thread == waiter && record.kind == wait.kind) out.index = record.index;
  }
  ASSERT_GT(out.index, 0u);
  schedule::Schedule before = whole;
  const auto given = std::find_if(usual->records.begin(), usual->records.end(), [&](const HeddleRecord& record) {
    return record.kind == wait.gives && record.thread != waiter;
  });
  ASSERT_NE(given, usual->records.end());
  const auto names = schedule::thread_names(trace);
  const auto cut = std::find_if(whole.steps.begin(), whole.steps.end(), [&](const schedule::Step& step) {
    return step.kind == StepKind::kOp && step.thread == names[given->thread] && step.index == given->index;
  });
  ASSERT_NE(cut, whole.steps.end());
  before.steps.assign(whole.steps.begin(), cut);
  before.steps.push_back(out);
  execute::RunRequest request;
  request.prefix = &before;
  auto ran_out = executor->run(request);
  ASSERT_TRUE(ran_out);
  EXPECT_EQ(ran_out->ending.outcome, HEDDLE_OUTCOME_EXIT) << ran_out->ending.message;
  EXPECT_EQ(ran_out->ending.detail, 1u);
  const schedule::Schedule again = schedule::from_trace(executor->to_trace(*ran_out, request));
  request.prefix = &again;
  auto replayed = executor->run(request);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(replayed->ending, ran_out->ending) << replayed->ending.message;

  schedule::Schedule after = whole;
  after.steps.assign(whole.steps.begin(), cut + 1);
  if ((cut + 1)->kind == StepKind::kWake) after.steps.push_back(*(cut + 1));
  after.steps.push_back(out);
  request.prefix = &after;
  auto too_late = executor->run(request);
  ASSERT_TRUE(too_late);
  EXPECT_EQ(too_late->ending.outcome, HEDDLE_OUTCOME_DIVERGED);
  EXPECT_NE(too_late->ending.message.find("does not run out"), std::string::npos) << too_late->ending.message;
}

INSTANTIATE_TEST_SUITE_P(Kinds, TimedWaits, testing::Range<size_t>(0, std::size(kKinds)),
                         [](const auto& info) { return std::string(kKinds[info.param].name); });

// Three wait; the exit code says who was woken first.
constexpr const char* kThreeWait = R"(
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int by_futex, word, order, waiting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *waiter(void *number) {
  if (by_futex) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  } else {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
  }
  order = order * 10 + (int)(long)number;
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[3];
  by_futex = argc > 1;
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], 0, waiter, (void *)(i + 1));
  sleep(1);
  for (int i = 0; i < 3; ++i) {
    if (by_futex) {
      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    } else {
      pthread_mutex_lock(&lock); pthread_cond_signal(&condition); pthread_mutex_unlock(&lock);
    }
    sleep(1);
  }
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  return order == 123 ? 0 : order == 312 ? 1 : 2;
}
)";

class Wakes : public testing::TestWithParam<bool> {};

TEST_P(Wakes, AStepChoosesTheWaiter) {
  auto directory = base::TemporaryDirectory::create("wakes-test");
  ASSERT_TRUE(directory);
  ASSERT_TRUE(base::write_file(directory->path() + "/wakes.c", kThreeWait));
  auto executor = start_program(directory->path() + "/wakes.c",
                                GetParam() ? std::vector<std::string>{"futex"} : std::vector<std::string>{});
  auto usual = executor->run({});
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->ending.detail, 0u) << "the longest waiting is woken";
  schedule::Schedule schedule = schedule::from_trace(executor->to_trace(*usual, {}));
  const auto wake = std::find_if(schedule.steps.begin(), schedule.steps.end(),
                                 [](const schedule::Step& step) { return step.kind == StepKind::kWake; });
  ASSERT_NE(wake, schedule.steps.end());
  ASSERT_EQ(wake->thread.text(), "T0.0");
  wake->thread = *schedule::ThreadName::parse("T0.2");
  schedule.steps.erase(wake + 1, schedule.steps.end());
  execute::RunRequest request;
  request.prefix = &schedule;
  auto run = executor->run(request);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->ending.detail, 1u) << run->ending.message;
  // Nobody who does not wait can be woken.
  schedule.steps.back().thread = *schedule::ThreadName::parse("T0");
  auto wrong = executor->run(request);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->ending.outcome, HEDDLE_OUTCOME_DIVERGED);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Wakes, testing::Bool(),
                         [](const auto& info) { return info.param ? "futex" : "condition"; });

}  // namespace
}  // namespace heddle::tests
