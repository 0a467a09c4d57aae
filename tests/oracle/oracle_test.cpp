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

void expect_no_difference(SetOptions options) {
  options.seed = from_environment("HEDDLE_ORACLE_SEED", options.seed);
  options.count = static_cast<int>(from_environment("HEDDLE_ORACLE_COUNT", static_cast<uint64_t>(options.count)));
  const auto summary = run_set(options, [](const execute::Subject& set, int program, const Choice& choice) {
    return check_program(set, program, choice.model, choice.reduction, choice.solver, choice.jobs, choice.races);
  });
  ASSERT_TRUE(summary) << summary.error().message;
  std::cout << "seed " << options.seed << ": " << summary->checks << " checks, " << summary->skipped << " skipped, "
            << summary->different << " different\n";
  EXPECT_EQ(summary->different, 0u) << summary->text;
  EXPECT_LT(summary->skipped * 20, summary->checks) << "brute force gives up too often to judge anything";
}

TEST(Oracle, CompleteReductionsAgreeWithBruteForce) {
  SetOptions options;
  options.count = 150;
  options.reductions = {"mcr"};
  options.solvers = {"native", "z3"};
  expect_no_difference(options);
}

TEST(Oracle, LearnedThreadsAgreeWithBruteForce) {
  SetOptions options;
  options.seed = 3'000'000;
  options.count = 200;
  options.reductions = {"learn", kLearnUnmerged};
  options.races = {false};
  expect_no_difference(options);
}

TEST(Oracle, EnumerationsAgreeOnSmallPrograms) {
  SetOptions options;
  options.seed = 1'000'000;
  options.count = 30;
  options.size = 6;
  options.reductions = {"icb-dpor"};
  expect_no_difference(options);
}

TEST(Oracle, ThePublishedReductionInventsNothing) {
  SetOptions options;
  options.seed = 2'000'000;
  options.count = 30;
  options.reductions = {"mcr-published"};
  options.races = {false};
  options.demand = Demand::kSubset;
  expect_no_difference(options);
}

}  // namespace
}  // namespace heddle::oracle
