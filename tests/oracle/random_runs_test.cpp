// SPDX-License-Identifier: Apache-2.0
//
// Random schedules of random programs see nothing that brute force did not.
#include "oracle/random_runs.h"

#include <gtest/gtest.h>

#include "oracle/run_set.h"

namespace heddle::oracle {
namespace {

TEST(OracleRandomRuns, SeeOnlyWhatIsPossible) {
  constexpr int kRuns = 60;
  size_t outcomes = 0, deadlocks = 0, failures = 0;
  SetOptions options;
  options.seed = 3'000'000;
  options.count = 200;
  options.models = {MemoryModel::kSc};
  options.races = {false};
  options.demand = Demand::kSubset;
  const auto summary = run_set(options, [&](const build::Target& target, int program, const Choice&) {
    CheckedResult result = run_randomly(target, program, kRuns);
    outcomes += result.outcomes.size();
    deadlocks += result.deadlock;
    failures += result.failing_assertion_lines.size();
    return result;
  });
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->different, 0u) << summary->text;
  EXPECT_EQ(summary->checks, 200u);
  EXPECT_GT(outcomes, 400u) << "the runs hardly differ";
  EXPECT_GT(deadlocks, 5u);
  EXPECT_GT(failures, 5u);
}

}  // namespace
}  // namespace heddle::oracle
