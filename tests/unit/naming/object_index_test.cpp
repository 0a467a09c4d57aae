// SPDX-License-Identifier: Apache-2.0
#include "naming/object_index.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace heddle::naming {
namespace {

TEST(ObjectIndex, AnEmptyOneFindsNothing) {
  EXPECT_FALSE(ObjectIndex().last_below(4, 1));
  EXPECT_FALSE(ObjectIndex(std::vector<Range>()).first_from(4, 0));
}

TEST(ObjectIndex, FindsTheYoungestRangeOfItsTime) {
  const ObjectIndex index({{10, 20}, {15, 30}, {10, 12}});
  EXPECT_EQ(index.last_below(11, 3), 2u);
  EXPECT_EQ(index.last_below(11, 2), 0u);
  EXPECT_EQ(index.last_below(15, 3), 1u);
  EXPECT_EQ(index.last_below(15, 1), 0u);
  EXPECT_EQ(index.last_below(29, 3), 1u);
  EXPECT_FALSE(index.last_below(29, 1));
  EXPECT_FALSE(index.last_below(30, 3));
  EXPECT_FALSE(index.last_below(9, 3));
  EXPECT_EQ(index.first_from(11, 1), 2u);
  EXPECT_EQ(index.first_from(29, 0), 1u);
}

TEST(ObjectIndex, AgreesWithASearchThroughAllRanges) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<uint8_t, uint8_t>>& pairs, uint8_t limit) {
    std::vector<Range> ranges;
    for (const auto& [begin, size] : pairs) ranges.push_back({begin, begin + size % 32 + 1u});
    const ObjectIndex index(ranges);
    for (uint64_t address = 0; address < 300; ++address) {
      std::optional<uint32_t> last, first;
      for (uint32_t i = 0; i < ranges.size(); ++i) {
        if (address < ranges[i].begin || address >= ranges[i].end) continue;
        if (i < limit) last = i;
        if (i >= limit && !first) first = i;
      }
      RC_ASSERT(index.last_below(address, limit) == last);
      RC_ASSERT(index.first_from(address, limit) == first);
    }
  }));
}

}  // namespace
}  // namespace heddle::naming
