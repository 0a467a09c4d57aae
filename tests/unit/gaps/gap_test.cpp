// SPDX-License-Identifier: Apache-2.0
#include "gaps/gap.h"

#include <gtest/gtest.h>

#include "gaps/verdict.h"

namespace heddle::gaps {
namespace {

TEST(Gaps, AreASet) {
  Gaps gaps;
  EXPECT_TRUE(gaps.empty());
  gaps.raise(HEDDLE_GAP_NOT_MODELLED, "one thing");
  gaps.raise(HEDDLE_GAP_NOT_MODELLED, "another");
  gaps.raise(HEDDLE_GAP_NOT_MODELLED, "one thing");
  EXPECT_EQ(gaps.size(), 2u);
  EXPECT_TRUE(gaps.has(HEDDLE_GAP_NOT_MODELLED));
  EXPECT_FALSE(gaps.has(HEDDLE_GAP_TIME_LIMIT));

  Gaps others;
  others.raise(HEDDLE_GAP_TIME_LIMIT);
  others.raise(HEDDLE_GAP_NOT_MODELLED, "another");
  gaps.merge(others);
  EXPECT_EQ(gaps.size(), 3u);
  EXPECT_STREQ(gaps.begin()->code(), "time");  // in the order of their numbers
}

TEST(Gaps, NumbersThatAreNoGapHaveNoCode) {
  EXPECT_STREQ(heddle_gap_code(0), "");
  EXPECT_STREQ(heddle_gap_code(100'000), "");
  EXPECT_STREQ(heddle_gap_code(HEDDLE_GAP_DISK_FULL), "disk");
}

TEST(Verdict, HoldsOnlyWithoutGaps) {
  Gaps gaps;
  EXPECT_EQ(Verdict::from(false, gaps), Verdict::kHolds);
  EXPECT_EQ(Verdict::from(true, gaps), Verdict::kViolated);
  gaps.raise(HEDDLE_GAP_SOLVER_GAVE_UP);
  EXPECT_EQ(Verdict::from(false, gaps), Verdict::kUndecided);
  EXPECT_EQ(Verdict::from(true, gaps), Verdict::kViolated);
  EXPECT_EQ(Verdict(), Verdict::kUndecided);
}

}  // namespace
}  // namespace heddle::gaps
