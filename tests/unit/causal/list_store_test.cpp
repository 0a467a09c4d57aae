// SPDX-License-Identifier: Apache-2.0
#include "causal/list_store.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::causal {
namespace {

TEST(ListStore, ListsStayAsTheyWere) {
  ListStore store;
  std::vector<std::vector<uint32_t>> lists;
  std::vector<std::span<const uint32_t>> kept;
  for (uint32_t size = 0; size < 3000; size = size * 3 / 2 + 1) {
    lists.emplace_back(size, size);
    kept.push_back(store.keep(lists.back()));
    store.keep(std::vector<uint64_t>(size % 3, ~uint64_t{0}));
  }
  const ListStore moved = std::move(store);
  for (size_t i = 0; i < lists.size(); ++i) EXPECT_EQ(std::vector<uint32_t>(kept[i].begin(), kept[i].end()), lists[i]);
}

TEST(ListStore, UsesItsMemoryAgain) {
  ListStore store;
  const auto first = store.keep(std::vector<uint64_t>(10, 1));
  store.clear();
  const auto second = store.keep(std::vector<uint64_t>(10, 2));
  EXPECT_EQ(first.data(), second.data());
  EXPECT_EQ(second[9], 2u);
}

}  // namespace
}  // namespace heddle::causal
