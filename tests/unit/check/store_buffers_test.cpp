// SPDX-License-Identifier: Apache-2.0
#include "check/learn/store_buffers.h"

#include <gtest/gtest.h>

namespace heddle::check::learn {
namespace {

TEST(StoreBuffers, EqualContentsHaveEqualNumbers) {
  StoreBuffers buffers;
  const uint32_t both = buffers.with_store(buffers.with_store(0, 5, false), 6, false);
  EXPECT_EQ(buffers.without(both, 0), buffers.with_store(0, 6, false));
  EXPECT_EQ(buffers.without(buffers.without(both, 1), 0), 0u);
}

TEST(StoreBuffers, AMarkerStandsBeforeTheNextStore) {
  StoreBuffers buffers;
  const uint32_t fenced = buffers.with_store(buffers.with_marker(buffers.with_store(0, 5, false)), 6, false);
  EXPECT_EQ(fenced, buffers.with_store(buffers.with_store(0, 5, false), 6, true));
  EXPECT_NE(fenced, buffers.with_store(buffers.with_store(0, 5, false), 6, false));
}

TEST(StoreBuffers, AMarkerBeforeEverythingMeansNothing) {
  StoreBuffers buffers;
  EXPECT_EQ(buffers.with_marker(0), 0u);
  EXPECT_EQ(buffers.with_store(0, 6, true), buffers.with_store(0, 6, false));
  const uint32_t fenced = buffers.with_marker(buffers.with_store(0, 5, false));
  EXPECT_EQ(buffers.without(fenced, 0), 0u);
  const uint32_t two = buffers.with_store(fenced, 6, false);
  EXPECT_EQ(buffers.without(two, 0), buffers.with_store(0, 6, false));
}

}  // namespace
}  // namespace heddle::check::learn
