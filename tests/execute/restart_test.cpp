// SPDX-License-Identifier: Apache-2.0
//
// Isolation: after thousands of runs in one process the same schedule still
// gives the same trace, and every isolation gives the same one.
#include <gtest/gtest.h>

#include <cstring>

#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "paths.h"
#include "schedule/from_trace.h"

namespace heddle::tests {
namespace {

execute::Subject subject_of(const std::string& source) {
  build::IntakeOptions intake;
  intake.cflags = {"-std=c++20"};
  auto program = build::intake({source}, intake);
  EXPECT_TRUE(program) << program.error().message;
  auto target = build::make_target(std::move(*program), {});
  EXPECT_TRUE(target) << target.error().message;
  return execute::subject_of(*target);
}

bool same_records(const std::vector<HeddleRecord>& a, const std::vector<HeddleRecord>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(HeddleRecord)) == 0;
}

class Restart : public testing::Test {
 protected:
  static execute::Subject subject() {
    return subject_of(std::string(kTestsFolder) + "/execute/remembers_everything.cpp");
  }

  static std::unique_ptr<execute::Executor> start(const execute::Subject& subject, execute::Isolation isolation) {
    execute::ExecutorOptions options;
    options.isolation = isolation;
    auto executor = execute::Executor::start(subject, options);
    EXPECT_TRUE(executor) << executor.error().message;
    return std::move(*executor);
  }
};

TEST_F(Restart, TenThousandRunsInOneProcessLeaveNothingBehind) {
  const auto program = subject();
  const auto executor = start(program, execute::Isolation::kInProcess);
  execute::RunRequest random;
  random.strategy = HEDDLE_STRATEGY_RANDOM;
  random.seed = 11;
  auto first = executor->run(random);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->ending.outcome, HEDDLE_OUTCOME_EXIT) << first->ending.message;
  ASSERT_EQ(first->ending.detail, 0u);
  const schedule::Schedule schedule = schedule::from_trace(executor->to_trace(*first, random));
  execute::RunRequest replay;
  replay.prefix = &schedule;

  // Other schedules in between, so that each replay comes after something else.
  constexpr size_t kRuns = 10000, kBatch = 500;
  size_t different = 0, runs = 0;
  for (size_t start = 0; start < kRuns; start += kBatch) {
    std::vector<execute::RunRequest> batch(kBatch);
    for (size_t i = 0; i < kBatch; ++i) {
      batch[i] = i % 2 ? random : replay;
      if (i % 2) batch[i].seed = start + i;
    }
    auto done = executor->run_batch(batch, [&](size_t number, execute::Run& run) {
      ++runs;
      EXPECT_EQ(run.ending.outcome, HEDDLE_OUTCOME_EXIT) << run.ending.message;
      if (number % 2 == 0 && !same_records(run.records, first->records)) ++different;
    });
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(runs, kRuns);
  EXPECT_EQ(different, 0u);
  EXPECT_EQ(executor->processes_started(), 1u);
}

TEST_F(Restart, EveryIsolationGivesTheSameRun) {
  const auto program = subject();
  for (uint64_t seed = 0; seed < 5; ++seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    std::vector<execute::Run> runs;
    for (const auto isolation :
         {execute::Isolation::kInProcess, execute::Isolation::kFork, execute::Isolation::kFresh}) {
      auto run = start(program, isolation)->run(request);
      ASSERT_TRUE(run) << run.error().message;
      runs.push_back(std::move(*run));
    }
    ASSERT_GT(runs[0].records.size(), 100u);
    EXPECT_TRUE(same_records(runs[0].records, runs[1].records)) << "in-process and fork, seed " << seed;
    EXPECT_TRUE(same_records(runs[0].records, runs[2].records)) << "in-process and fresh, seed " << seed;
  }
}

TEST_F(Restart, AChosenIsolationHasAReason) {
  execute::Subject program;
  EXPECT_EQ(choose_isolation(program, {}).isolation, execute::Isolation::kInProcess);
  program.outside_functions = {"printf", "unlink"};
  EXPECT_EQ(choose_isolation(program, {}).isolation, execute::Isolation::kFork);
  EXPECT_NE(choose_isolation(program, {}).reason.find("unlink"), std::string::npos);
  execute::ExecutorOptions asked;
  asked.isolation = execute::Isolation::kFresh;
  EXPECT_EQ(choose_isolation(program, asked).isolation, execute::Isolation::kFresh);
}

}  // namespace
}  // namespace heddle::tests
