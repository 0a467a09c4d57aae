// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state_store.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::check::learn {
namespace {

TEST(StateStore, AStateIsNewOnce) {
  StateStore store;
  const auto [id, is_new] = store.add({1, 0, 7});
  EXPECT_TRUE(is_new);
  EXPECT_EQ(store.add({1, 0, 7}), std::make_pair(id, false));
  EXPECT_TRUE(store.add({1, 0, 8}).second);
  EXPECT_EQ(store.size(), 2u);
}

TEST(StateStore, ZerosAtTheEndDoNotMatter) {
  StateStore store;
  const auto id = store.add({1, 2}).first;
  EXPECT_EQ(store.add({1, 2, 0, 0}), std::make_pair(id, false));
  Row read = {9, 9, 9, 9};
  store.read(id, read);
  EXPECT_EQ(read, (Row{1, 2, 0, 0}));
}

TEST(StateStore, WhatIsIgnoredMakesNoDifference) {
  StateStore store;
  store.ignore({0, 1});
  const auto id = store.add({1, 2, 3}).first;
  EXPECT_EQ(store.add({1, 7, 3}), std::make_pair(id, false));
  EXPECT_EQ(store.add({1, 0, 3}), std::make_pair(id, false));
  EXPECT_EQ(store.add({1, 70000, 3}), std::make_pair(id, false));
  EXPECT_TRUE(store.add({1, 2, 4}).second);
  const auto other = store.add({5, 2}).first;
  EXPECT_EQ(store.add({5}), std::make_pair(other, false));
}

TEST(StateStore, LargeAndSmallWordsAreKeptApart) {
  StateStore store;
  const std::vector<Row> states = {{1, 254, 3},         {1, 255, 3},           {1, 256, 3},     {1, 65535, 3},
                                   {1, 65536, 3},       {65536, 65535, 3},     {255, 255, 255}, {255, 255, 256},
                                   {65535, 255, 65536}, {UINT32_MAX, 254, 255}};
  for (const Row& state : states) EXPECT_TRUE(store.add(state).second);
  for (const Row& state : states) {
    EXPECT_FALSE(store.add(state).second);
    Row read(4, 9), longer = state;
    longer.push_back(0);
    store.read(store.find(state).id, read);
    EXPECT_EQ(read, longer);
  }
}

TEST(StateStore, WhatWasNotFoundIsAdded) {
  StateStore store;
  const StateStore::Sought sought = store.find({4, 5, 0});
  EXPECT_EQ(sought.id, 0u);
  const auto id = store.add({4, 5, 0}, sought);
  EXPECT_EQ(store.find({4, 5}).id, id);
}

TEST(StateStore, AStateHasAMaskOfItsOwn) {
  StateStore store;
  const auto one = store.add({1, 2}).first, other = store.add({1, 3}).first;
  EXPECT_EQ(store.mask(one), 0u);
  store.set_mask(one, 0x8000000100000002);
  EXPECT_EQ(store.mask(one), 0x8000000100000002u);
  EXPECT_EQ(store.mask(other), 0u);
  EXPECT_EQ(store.add({1, 2}), std::make_pair(one, false));
  Row read(2);
  store.read(one, read);
  EXPECT_EQ(read, (Row{1, 2}));
}

TEST(StateStore, IsFullWhenItsBytesAreUsedUp) {
  constexpr uint64_t kBytes = 100'000;
  StateStore store(kBytes);
  uint32_t number = 0;
  while (!store.is_full(4)) store.add({++number, 1, 2, 3});
  EXPECT_GT(store.bytes(), kBytes);
  EXPECT_LT(store.bytes(), 2 * kBytes);          // it is asked before every state
  EXPECT_GT(number, kBytes / 100);               // at most 100 bytes each
  EXPECT_FALSE(store.add({1, 1, 2, 3}).second);  // what is known stays known
  store.clear();
  EXPECT_FALSE(store.is_full(4));
}

TEST(StateStore, IsFullForStatesOfTooManyWords) {
  StateStore store;
  EXPECT_FALSE(store.is_full(400'000));
  EXPECT_TRUE(store.is_full(450'000));
}

TEST(StateStore, ManyStatesAreKeptApart) {
  StateStore store;
  std::map<Row, StateStore::Id> known;
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    Row state(1 + random() % 12);
    for (uint32_t& word : state) word = random() % 4 << 9 * (random() % 8 == 0) << 9 * (random() % 8 == 0);
    while (!state.empty() && state.back() == 0) state.pop_back();
    const auto [id, is_new] = store.add(state);
    const auto [place, is_unknown] = known.try_emplace(state, id);
    ASSERT_EQ(is_new, is_unknown);
    ASSERT_EQ(id, place->second);
  }
  EXPECT_EQ(store.size(), known.size());
  for (const auto& [state, id] : known) {
    Row read(state.size(), 5);
    store.read(id, read);
    ASSERT_EQ(read, state);
  }
  store.clear();
  EXPECT_TRUE(store.add({1}).second);
}

}  // namespace
}  // namespace heddle::check::learn
