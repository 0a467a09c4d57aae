// SPDX-License-Identifier: Apache-2.0
#include "property/visited_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::property {
namespace {

TEST(VisitedSet, KnowsWhatCameSinceItWasEmptied) {
  std::mt19937 random(3);
  VisitedSet set;
  for (int round = 0; round < 200; ++round) {
    std::set<VisitedSet::Key> expected;
    for (uint32_t count = random() % 300; count > 0; --count) {
      const VisitedSet::Key key = {random() % 50, random() % 4};
      ASSERT_EQ(set.insert(key), expected.insert(key).second);
    }
    set.clear();
  }
}

}  // namespace
}  // namespace heddle::property
