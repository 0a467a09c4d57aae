// SPDX-License-Identifier: Apache-2.0
#include "check/common_number.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::check {
namespace {

TEST(CommonNumber, IsTheLowestOfAllThatSuit) {
  std::mt19937 random(5);
  uint32_t found = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::vector<uint32_t>> lists(1 + random() % 4);
    std::vector<std::set<uint32_t>> sets(lists.size());
    for (size_t i = 0; i < lists.size(); ++i) {
      for (uint32_t count = random() % (random() % 2 ? 8 : 200); count > 0; --count) sets[i].insert(random() % 150);
      lists[i].assign(sets[i].begin(), sets[i].end());
    }
    const uint32_t divisor = 1 + random() % 3;
    std::optional<uint32_t> expected;
    for (uint32_t number = 150; number-- > 0;) {
      bool is_common = number % divisor == 0;
      for (const auto& set : sets) is_common = is_common && set.count(number);
      if (is_common) expected = number;
    }
    const auto suits = [&](uint32_t number) { return number % divisor == 0; };
    ASSERT_EQ(find_common({lists.begin(), lists.end()}, suits), expected) << "round " << round;
    found += expected.has_value();
  }
  EXPECT_GT(found, 1000u);
  EXPECT_LT(found, 4000u);
}

}  // namespace
}  // namespace heddle::check
