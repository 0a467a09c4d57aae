// SPDX-License-Identifier: Apache-2.0
#include "check/learn/state.h"

#include <gtest/gtest.h>

#include "check/learn/state_store.h"

namespace heddle::check::learn {
namespace {

TEST(State, GoesBackToWhatItWas) {
  State state(3);
  state.set(0, 7);
  const Row before = state.words();
  const State::Mark mark = state.now();
  state.set(1, 5);
  state.set(1, 6);
  state.set(0, 7);  // no change
  state.grow(5);
  state.set(4, 1);
  EXPECT_EQ(state.since(mark).size(), 3u);
  state.go_back(mark);
  Row grown = before;
  grown.resize(5, 0);
  EXPECT_EQ(state.words(), grown);
}

TEST(State, ASumMovesWithTheChanges) {
  StateStore store;
  store.ignore({0, 0, 1});
  State state(4);
  state.set(0, 300);
  const StateStore::Sum begin = store.sum_of(state.words());
  const State::Mark mark = state.now();
  state.set(1, 9);
  state.set(2, 70000);
  state.set(0, 2);
  state.set(1, 4);
  EXPECT_EQ(store.moved(begin, state.since(mark)), store.sum_of(state.words()));
  EXPECT_NE(store.sum_of(state.words()), begin);
}

TEST(State, IsFoundWithAndWithoutAMask) {
  StateStore store;
  const Row one = {1, 300, 3}, other = {1, 300, 4};
  const auto plain = store.add(one, store.find(one), false);
  const auto masked = store.add(other, store.find(other), true);
  store.set_mask(masked, 5);
  EXPECT_EQ(store.find(one).id, plain);
  EXPECT_EQ(store.find(other).id, masked);
  EXPECT_EQ(store.mask(plain), 0u);
  EXPECT_EQ(store.mask(masked), 5u);
}

}  // namespace
}  // namespace heddle::check::learn
