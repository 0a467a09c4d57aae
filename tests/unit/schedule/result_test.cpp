// SPDX-License-Identifier: Apache-2.0
#include "schedule/result.h"

#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

TEST(Result, SaysWhatARunCameToWithoutPlaces) {
  EXPECT_EQ(result_of({HEDDLE_OUTCOME_EXIT, 3, ""}), "exit 3");
  EXPECT_EQ(result_of({HEDDLE_OUTCOME_FAILURE, HEDDLE_FAILURE_ASSERTION, "counter == 2"}), "assertion: counter == 2");
  EXPECT_EQ(result_of({HEDDLE_OUTCOME_FAILURE, HEDDLE_FAILURE_NULL, ""}), "null-dereference");
  EXPECT_EQ(result_of({HEDDLE_OUTCOME_DEADLOCK, 0, "T0 waits for a mutex"}), "deadlock");
  EXPECT_EQ(result_of({HEDDLE_OUTCOME_LIVELOCK, 100000, "every thread ..."}), "livelock");
}

TEST(Result, IsEmptyWhereTheRunDidNotComeToAnythingOfItsOwn) {
  for (const auto outcome :
       {HEDDLE_OUTCOME_BOUND, HEDDLE_OUTCOME_DIVERGED, HEDDLE_OUTCOME_UNSUPPORTED, HEDDLE_OUTCOME_KILLED})
    EXPECT_EQ(result_of({outcome, 0, "why"}), "");
}

}  // namespace
}  // namespace heddle::schedule
