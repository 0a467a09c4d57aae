// SPDX-License-Identifier: Apache-2.0
//
// With a clock for each thread, what a thread reads from it is the same under
// every schedule; with one for all it is not.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "execute/target_for_test.h"

namespace heddle::tests {
namespace {

constexpr const char* kReadsClocks = R"(
#include <pthread.h>
#include <time.h>
#include <unistd.h>
static void *reads(void *a) {
  struct timespec now;
  for (int i = 0; i < 3; ++i) { clock_gettime(CLOCK_MONOTONIC, &now); usleep(10); }
  return a;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, reads, 0);
  pthread_create(&t, 0, reads, 0);
  reads(0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
)";

// Over many schedules: the sequences of clock values of each thread.
std::set<std::map<uint32_t, std::vector<uint64_t>>> readings(execute::Executor& executor, bool local) {
  std::set<std::map<uint32_t, std::vector<uint64_t>>> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    request.local_time = local;
    auto run = executor.run(request);
    EXPECT_TRUE(run);
    EXPECT_EQ(run->ending.outcome, HEDDLE_OUTCOME_EXIT) << run->ending.message;
    std::map<uint32_t, std::vector<uint64_t>> values;
    for (const HeddleRecord& record : run->records) {
      if (record.kind == HEDDLE_CLOCK) values[record.thread].push_back(record.value);
    }
    seen.insert(values);
  }
  return seen;
}

TEST(LocalTime, DoesNotDependOnTheSchedule) {
  auto executor = start_text(kReadsClocks);
  EXPECT_GT(readings(*executor, false).size(), 1u);
  const auto local = readings(*executor, true);
  ASSERT_EQ(local.size(), 1u);
  for (const auto& [thread, values] : *local.begin()) {
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(values[1] - values[0], 11'000u) << "a tick and ten microseconds of sleep";
  }
}

}  // namespace
}  // namespace heddle::tests
