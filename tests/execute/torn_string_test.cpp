// SPDX-License-Identifier: Apache-2.0
//
// Library functions with models interleave inside: while one thread is in
// strcpy, another reads half of the new string. Without models strcpy would be
// one step, and no schedule would show it.
#include <gtest/gtest.h>

#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "paths.h"

namespace heddle::tests {
namespace {

TEST(TornString, IsSeenUnderSomeSchedules) {
  auto program = build::intake({std::string(kTestsFolder) + "/programs/model_torn_string.c"}, {});
  ASSERT_TRUE(program) << program.error().message;
  auto target = build::make_target(std::move(*program), {});
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE(target->unknown_functions.empty()) << target->unknown_functions[0];
  const execute::Subject subject = execute::subject_of(*target);
  auto executor = execute::Executor::start(subject, {});
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<execute::RunRequest> batch(200);
  for (size_t i = 0; i < batch.size(); ++i) {
    batch[i].strategy = HEDDLE_STRATEGY_RANDOM;
    batch[i].seed = i;
  }
  size_t torn = 0, whole = 0;
  auto done = (*executor)->run_batch(batch, [&](size_t, execute::Run& run) {
    EXPECT_EQ(run.ending.outcome, HEDDLE_OUTCOME_EXIT) << run.ending.message;
    ++(run.ending.detail == 1 ? torn : whole);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT(torn, 0u);
  EXPECT_GT(whole, 0u);
}

}  // namespace
}  // namespace heddle::tests
