// SPDX-License-Identifier: Apache-2.0
//
// The checker against brute force on random programs. HEDDLE_ORACLE_SEED and
// HEDDLE_ORACLE_COUNT choose another set and its size; `oracle` does the same
// by hand, in any combination.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "oracle/run_set.h"

namespace heddle::oracle {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Every answer equal, or why not. `as_drawn`: the share of checks that the reduction drawn must do itself, in percent;
// mcr does the others.
testing::AssertionResult agrees(SetOptions options, size_t as_drawn = 100) {
  options.seed = from_environment("HEDDLE_ORACLE_SEED", options.seed);
  options.count = static_cast<int>(from_environment("HEDDLE_ORACLE_COUNT", static_cast<uint64_t>(options.count)));
  const auto summary = run_set(options, check_program);
  if (!summary) return testing::AssertionFailure() << summary.error().message;
  std::cout << "seed " << options.seed << ": " << summary->checks << " checks, " << summary->skipped << " skipped, "
            << summary->replaced << " done with mcr instead, " << summary->different << " different\n";
  if (summary->different != 0) return testing::AssertionFailure() << summary->text;
  if (summary->left_to_mcr != 0)
    return testing::AssertionFailure() << "learn has all that these programs do, and left some to mcr";
  if (summary->skipped * 20 >= summary->checks)
    return testing::AssertionFailure() << "brute force gives up too often to judge anything";
  if ((summary->checks - summary->replaced) * 100 < summary->checks * as_drawn)
    return testing::AssertionFailure() << "mcr did " << summary->replaced << " of " << summary->checks << " checks";
  return testing::AssertionSuccess();
}

// 2,000 programs in all, in parts that can run side by side.
class CompleteReductions : public testing::TestWithParam<uint64_t> {};

TEST_P(CompleteReductions, AgreeWithBruteForce) {
  SetOptions options;
  options.count = 250;
  options.seed = GetParam() * 250;
  draw_as_usual(options);
  options.reductions.insert(options.reductions.end(), {"learn", kLearnUnmerged});
  EXPECT_TRUE(agrees(options, 85));
}

INSTANTIATE_TEST_SUITE_P(Oracle, CompleteReductions, testing::Range<uint64_t>(0, 8));

TEST(Oracle, LearnedThreadsAgreeWithBruteForce) {
  SetOptions options;
  options.seed = 3'000'000;
  options.count = 200;
  options.reductions = {"learn", kLearnUnmerged};
  EXPECT_TRUE(agrees(options));
}

// Pointers in shared memory, blocks that one thread allocates and another releases, conditions, and threads that are
// created only sometimes; bench/oracle/run has more of them.
TEST(Oracle, LearnedThreadsAgreeOnPointers) {
  SetOptions options;
  options.seed = 4'000'000;
  options.count = 100;
  options.pointers = true;
  options.reductions = {"learn", kLearnUnmerged};
  options.races = {false};  // brute force for races does not follow pointers
  EXPECT_TRUE(agrees(options));
}

// Programs with threads that do the same. Where they do not change places after all, nothing is said about that.
TEST(Oracle, ThreadsThatChangePlacesAgreeWithBruteForce) {
  SetOptions options;
  options.seed = 5'000'000;
  options.count = 250;
  options.twins = true;
  options.reductions = {kLearnExchanging};
  options.races = {false};
  const auto summary = run_set(options, check_program);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->different, 0u) << summary->text;
  EXPECT_EQ(summary->left_to_mcr, 0u);
  EXPECT_LT(2 * summary->kept_apart, summary->checks);
}

TEST(Oracle, BoundedReductionAgreesOnSmallPrograms) {
  SetOptions options;
  options.seed = 1'000'000;
  options.count = 100;
  options.size = 6;
  options.reductions = {"icb-dpor"};
  options.races = {false, false, false, true};
  options.most_executions = 300;
  EXPECT_TRUE(agrees(options, 60));
}

// Only the smallest programs have so few interleavings.
TEST(Oracle, EnumerationsAgreeOnTheSmallestPrograms) {
  SetOptions options;
  options.seed = 1'100'000;
  options.count = 80;
  options.size = 4;
  options.reductions = {"none", "icb"};
  options.races = {false, false, false, true};
  options.most_executions = 500;
  EXPECT_TRUE(agrees(options, 15));
}

TEST(Oracle, ThePublishedReductionInventsNothing) {
  SetOptions options;
  options.seed = 2'000'000;
  options.count = 100;
  options.reductions = {"mcr-published"};
  options.races = {false};
  options.demand = Demand::kSubset;
  EXPECT_TRUE(agrees(options));
}

}  // namespace
}  // namespace heddle::oracle
