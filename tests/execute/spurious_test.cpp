// SPDX-License-Identifier: Apache-2.0
//
// Spurious wake-ups happen only when asked for, and replay.
#include <gtest/gtest.h>

#include "base/files.h"
#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "schedule/from_trace.h"

namespace heddle::tests {
namespace {

// Trusts that it is woken for a reason.
constexpr const char* kWaitsOnce = R"(
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int set;
static void *setter(void *a) {
  pthread_mutex_lock(&lock); set = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&lock);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  pthread_mutex_lock(&lock);
  if (!set) pthread_cond_wait(&condition, &lock);
  assert(set);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
)";

TEST(SpuriousWakeUps, HappenOnlyWhenAskedForAndReplay) {
  auto directory = base::TemporaryDirectory::create("spurious-test");
  ASSERT_TRUE(directory);
  ASSERT_TRUE(base::write_file(directory->path() + "/waits_once.c", kWaitsOnce));
  auto program = build::intake({directory->path() + "/waits_once.c"}, {});
  ASSERT_TRUE(program) << program.error().message;
  auto target = build::make_target(std::move(*program), {});
  ASSERT_TRUE(target) << target.error().message;
  auto executor = execute::Executor::start(execute::subject_of(*target), {});
  ASSERT_TRUE(executor) << executor.error().message;
  size_t failed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    auto usual = (*executor)->run(request);
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->ending.outcome, HEDDLE_OUTCOME_EXIT) << "seed " << seed << ": " << usual->ending.message;
    request.allow_spurious = true;
    auto run = (*executor)->run(request);
    ASSERT_TRUE(run);
    if (run->ending.outcome != HEDDLE_OUTCOME_FAILURE) continue;
    ++failed;
    const schedule::Schedule schedule = schedule::from_trace((*executor)->to_trace(*run, request));
    execute::RunRequest replay;
    replay.prefix = &schedule;
    auto again = (*executor)->run(replay);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->ending, run->ending) << again->ending.message;
    EXPECT_EQ(again->records.size(), run->records.size());
  }
  EXPECT_GT(failed, 0u);
}

}  // namespace
}  // namespace heddle::tests
