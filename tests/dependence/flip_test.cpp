// SPDX-License-Identifier: Apache-2.0
//
// Whatever operation changes when a choice changes, the table admits that it
// depends on the choice.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "build/sources.h"
#include "dependence/flip_values.h"
#include "dependence/random_functions.h"

namespace heddle::tests {
namespace {

build::Target make(const std::string& path) {
  auto program = build::intake({path}, {});
  EXPECT_TRUE(program) << program.error().message;
  build::TargetOptions options;
  options.dependence = true;
  auto target = build::make_target(std::move(*program), options);
  EXPECT_TRUE(target) << target.error().message;
  EXPECT_TRUE(target->dependence->known());
  return std::move(*target);
}

void expect_nothing_missed(const FlipSummary& summary, int least_differences) {
  EXPECT_EQ(summary.missed, 0) << summary.text.substr(0, 4000);
  EXPECT_GT(summary.differences, least_differences) << "too few runs differ to judge";
  std::printf("%d flips, %d differ, %d of %d answers are \"independent\", %d of %d choices steer\n", summary.flips,
              summary.differences, summary.independent, summary.answers, summary.steering, summary.choices);
}

// HEDDLE_FLIP_SEED and HEDDLE_FLIP_COUNT: other functions, and more of them.
TEST(FlippedChoices, OfRandomFunctionsAreAdmitted) {
  const char* seed_text = std::getenv("HEDDLE_FLIP_SEED");
  const char* count_text = std::getenv("HEDDLE_FLIP_COUNT");
  const uint64_t seed = seed_text ? std::strtoull(seed_text, nullptr, 10) : 1;
  const int count = count_text ? std::atoi(count_text) : 300;
  auto directory = base::TemporaryDirectory::create("dependence-test");
  ASSERT_TRUE(directory);
  const std::string path = directory->path() + "/functions.c";
  ASSERT_TRUE(base::write_file(path, random_functions(seed, count)));
  const build::Target target = make(path);
  FlipSummary summary;
  for (int i = 0; i < count; ++i) summary.add(flip_values(target, std::to_string(i), 2));
  expect_nothing_missed(summary, count);
  EXPECT_GT(summary.independent, summary.answers / 4) << "a table that always says yes is of no use";
  EXPECT_LT(summary.steering, summary.choices);
}

}  // namespace
}  // namespace heddle::tests
