// SPDX-License-Identifier: Apache-2.0
#include "base/spelling.h"

#include <gtest/gtest.h>

namespace heddle::base {
namespace {

constexpr std::string_view kWords[] = {"check", "predict", "record", "replay", "report"};

TEST(Spelling, FindsTheNearestWord) {
  EXPECT_EQ(nearest_word("chekc", kWords), "check");
  EXPECT_EQ(nearest_word("redict", kWords), "predict");
  EXPECT_EQ(nearest_word("records", kWords), "record");
  EXPECT_EQ(nearest_word("repoly", kWords), "replay");
  EXPECT_EQ(nearest_word("check", kWords), "check");
}

TEST(Spelling, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_word("banana", kWords), "");
  EXPECT_EQ(nearest_word("", kWords), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'c'), kWords), "");
  EXPECT_EQ(nearest_word("check", {}), "");
}

TEST(Spelling, SaysItAsAQuestion) {
  EXPECT_EQ(did_you_mean("cheek", kWords), "Did you mean \"check\"?");
  EXPECT_EQ(did_you_mean("banana", kWords), "");
}

}  // namespace
}  // namespace heddle::base
