// SPDX-License-Identifier: Apache-2.0
#include "report/gap_texts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace heddle::report {
namespace {

TEST(GapTexts, PutTheDetailIntoTheSentence) {
  const Reason reason = reason_of({HEDDLE_GAP_NOT_MODELLED, "signals between threads"});
  EXPECT_EQ(reason.code, "not-modelled");
  EXPECT_EQ(reason.text, "not modelled: signals between threads");
  EXPECT_FALSE(reason.help.empty());
}

TEST(GapTexts, EveryGapHasATextAndACode) {
  std::set<int> numbers;
  for (const HeddleGap gap : all_gaps()) {
    EXPECT_TRUE(numbers.insert(gap).second) << "two gaps have the number " << gap;
    EXPECT_STRNE(heddle_gap_code(gap), "") << gap;
    EXPECT_FALSE(gap_text(gap).text.empty()) << gap;
    const std::string whole = reason_of({gap, "the detail"}).text;
    EXPECT_EQ(whole.find("{}"), std::string::npos) << whole;
  }
}

}  // namespace
}  // namespace heddle::report
