// SPDX-License-Identifier: Apache-2.0
#include "check/learn/knowledge.h"

#include <gtest/gtest.h>

namespace heddle::check::learn {
namespace {

class Knowing : public testing::Test {
 protected:
  Knowing() { knowledge_.clear(100); }
  Knowledge knowledge_;
};

TEST_F(Knowing, EqualSetsHaveOneNumber) {
  const uint32_t one = knowledge_.with(0, 3), other = knowledge_.with(0, 77);
  EXPECT_NE(one, other);
  EXPECT_EQ(knowledge_.joined(one, other), knowledge_.with(other, 3));
  EXPECT_EQ(knowledge_.joined(other, one), knowledge_.joined(one, other));
  EXPECT_EQ(knowledge_.without(knowledge_.joined(one, other), 77), one);
  EXPECT_EQ(knowledge_.without(one, 3), 0u);
  EXPECT_EQ(knowledge_.without(one, 4), one);
}

TEST_F(Knowing, TellsWhatWasAdded) {
  const uint32_t one = knowledge_.with(0, 3);
  const uint32_t all = knowledge_.with(knowledge_.with(one, 64), 99);
  EXPECT_EQ(knowledge_.members_added(one, all), (std::vector<uint32_t>{64, 99}));
  EXPECT_TRUE(knowledge_.members_added(all, one).empty());
}

TEST_F(Knowing, ZerosAtTheEndOfARowDoNotCount) {
  const uint32_t set = knowledge_.with(0, 5);
  const uint32_t row = knowledge_.row_number({0, set, 0, 0});
  EXPECT_EQ(row, knowledge_.row_number({0, set}));
  EXPECT_EQ(knowledge_.at(row, 1), set);
  EXPECT_EQ(knowledge_.at(row, 7), 0u);
  EXPECT_EQ(knowledge_.row_without(row, 5), 0u);
  EXPECT_EQ(knowledge_.row_without(row, 6), row);
}

}  // namespace
}  // namespace heddle::check::learn
