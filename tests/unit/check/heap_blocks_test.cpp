// SPDX-License-Identifier: Apache-2.0
#include "check/learn/heap_blocks.h"

#include <gtest/gtest.h>

namespace heddle::check::learn {
namespace {

HeapBlock block(uint64_t start, uint64_t size, bool is_released = false) { return {start, size, 0, is_released}; }

TEST(HeapBlocks, ABlockReachesToTheEndOfItsLastUnit) {
  HeapBlocks heap(false);
  EXPECT_TRUE(heap.add_block(block(0x1000, 20)));
  EXPECT_TRUE(heap.find(0x101f));
  EXPECT_FALSE(heap.find(0x1020));
  EXPECT_FALSE(heap.find(0xfff));
  EXPECT_FALSE(heap.add_block(block(0x1000, 20))) << "it is known";
}

TEST(HeapBlocks, BlocksThatOverlapInSomeExecutionsAreOneRegion) {
  HeapBlocks heap(false);
  heap.add_block(block(0x1000, 16));
  heap.add_block(block(0x1030, 16));
  EXPECT_NE(heap.find(0x1000), heap.find(0x1030));
  heap.find(0x1030)->users.push_back(7);
  heap.add_block(block(0x1000, 400));
  ASSERT_TRUE(heap.find(0x1000));
  EXPECT_EQ(heap.find(0x1000), heap.find(0x1030));
  EXPECT_EQ(heap.find(0x1000), heap.find(0x1000 + 399));
  EXPECT_EQ(heap.find(0x1000)->seen.size(), 3u);
  EXPECT_EQ(heap.find(0x1000)->users, std::vector<PointId>{7});
}

TEST(HeapBlocks, ARegionOfWhichNothingIsReleasedHasNoSlot) {
  HeapBlocks heap(true);
  Layout layout;
  heap.add_block(block(0x1000, 16));
  EXPECT_FALSE(heap.settle(*heap.find(0x1000), layout));
  EXPECT_EQ(heap.find(0x1000)->slot, 0u);
  EXPECT_EQ(heap.list_slot(1), 0u);
  EXPECT_TRUE(heap.add_release(0x1000));
  heap.settle(*heap.find(0x1000), layout);
  EXPECT_NE(heap.find(0x1000)->slot, 0u);
  EXPECT_NE(heap.list_slot(1), 0u);
}

TEST(HeapBlocks, StatesSayWhatARegionHoldsOnlyWhereThatMayDiffer) {
  HeapBlocks heap(false);
  Layout layout;
  heap.add_block(block(0x1000, 16));
  heap.find(0x1000)->givers.push_back(3);
  heap.add_release(0x1000);
  EXPECT_FALSE(heap.settle(*heap.find(0x1000), layout)) << "nobody had released it before";
  EXPECT_FALSE(heap.is_tracked(heap.find(0x1000)->slot));
  heap.add_block(block(0x1000, 32));
  EXPECT_TRUE(heap.settle(*heap.find(0x1000), layout)) << "states so far do not say which block it was";
  EXPECT_TRUE(heap.is_tracked(heap.find(0x1000)->slot));
}

TEST(HeapBlocks, TheBlockReleasedLastComesBackFirst) {
  HeapBlocks heap(true);
  const uint32_t one = heap.with_released(0, 0x1000), two = heap.with_released(one, 0x2000);
  EXPECT_EQ(heap.list(two).back(), 0x2000u);
  EXPECT_EQ(heap.without_last(two), one);
  EXPECT_EQ(heap.without_last(one), 0u);
  EXPECT_NE(heap.with_released(heap.with_released(0, 0x2000), 0x1000), two);
}

TEST(HeapBlocks, WhatARegionHoldsIsOneBlockForEachBeginning) {
  HeapBlocks heap(true);
  const uint32_t both = heap.with_block(heap.with_block(0, block(0x1030, 16)), block(0x1000, 16));
  EXPECT_EQ(both, heap.with_block(heap.with_block(0, block(0x1000, 16)), block(0x1030, 16)));
  EXPECT_NE(both, uint32_t{HeapBlocks::kReleased});
  EXPECT_EQ(heap.block_at(both, 0x1008)->start, 0x1000u);
  EXPECT_EQ(heap.block_at(both, 0x1038)->start, 0x1030u);
  EXPECT_EQ(heap.block_at(both, 0xff0), nullptr);
  const uint32_t released = heap.with_block(both, block(0x1000, 16, true));
  EXPECT_TRUE(heap.block_at(released, 0x1000)->is_released);
  EXPECT_FALSE(heap.block_at(released, 0x1030)->is_released);
  EXPECT_EQ(heap.with_block(released, block(0x1000, 16)), both) << "it came back";
}

}  // namespace
}  // namespace heddle::check::learn
