// SPDX-License-Identifier: Apache-2.0
#include "causal/memory_image.h"

#include <gtest/gtest.h>

namespace heddle::causal {
namespace {

TEST(MemoryImage, KnowsAcrossWordsAndOnlyWhatItWasTold) {
  MemoryImage image;
  image.learn(0x1006, 4, 0xddccbbaa);
  EXPECT_EQ(image.at(0x1006, 4), 0xddccbbaau);
  EXPECT_EQ(image.at(0x1007, 2), 0xccbbu);
  EXPECT_EQ(image.at(0x1005, 2), std::nullopt);
  EXPECT_EQ(image.at(0x1009, 2), std::nullopt);
}

TEST(MemoryImage, LearningKeepsAndStoringReplaces) {
  MemoryImage image;
  image.learn(0x2003, 2, 0x2211);
  image.learn(0x2002, 4, 0x99998877);  // two of its bytes are known already
  EXPECT_EQ(image.at(0x2002, 4), 0x99221177u);
  image.store(0x2004, 8, 0x0807060504030201);
  EXPECT_EQ(image.at(0x2002, 4), 0x02011177u);
  EXPECT_EQ(image.at(0x2008, 4), 0x08070605u);
}

}  // namespace
}  // namespace heddle::causal
