// SPDX-License-Identifier: Apache-2.0
//
// Random schedules of random programs see nothing that brute force did not.
#include "oracle/random_runs.h"

#include <gtest/gtest.h>

#include "oracle/run_set.h"

namespace heddle::oracle {
namespace {

// What the runs of the same 200 programs saw, which all must be possible.
struct Seen {
  size_t outcomes = 0, deadlocks = 0, failures = 0;
};

void run_programs(MemoryModel model) {
  constexpr int kRuns = 60;
  Seen seen;
  SetOptions options;
  options.seed = 3'000'000;
  options.count = 200;
  options.models = {model};
  options.races = {false};
  options.demand = Demand::kSubset;
  const auto summary = run_set(options, [&](const execute::Subject& set, int program, const Choice& choice) {
    CheckedResult result = run_randomly(set, program, choice.model, kRuns);
    seen.outcomes += result.outcomes.size();
    seen.deadlocks += result.deadlock;
    seen.failures += result.failing_assertion_lines.size();
    return result;
  });
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->different, 0u) << summary->text;
  EXPECT_EQ(summary->checks, 200u);
  EXPECT_GT(seen.outcomes, 400u) << "the runs hardly differ";
  EXPECT_GT(seen.deadlocks, 5u);
  EXPECT_GT(seen.failures, 5u);
}

TEST(OracleRandomRuns, SeeOnlyWhatScAllows) { run_programs(MemoryModel::kSc); }
TEST(OracleRandomRuns, SeeOnlyWhatTsoAllows) { run_programs(MemoryModel::kTso); }
TEST(OracleRandomRuns, SeeOnlyWhatPsoAllows) { run_programs(MemoryModel::kPso); }

}  // namespace
}  // namespace heddle::oracle
