// SPDX-License-Identifier: Apache-2.0
#include "oracle/compare.h"

#include <gtest/gtest.h>

#include "oracle/emit_c.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

// Store buffering with an assertion that can fail, and what a perfect checker says about it.
class OracleCompare : public testing::Test {
 protected:
  OracleCompare() {
    for (const Pair& pair : races_.racing) right_.racing_lines.insert({line(pair.first), line(pair.second)});
    for (const Pair& pair : races_.enabled_at_once)
      right_.enabled_at_once_lines.insert({line(pair.first), line(pair.second)});
    for (const int number : truth_.failing_assertions) right_.failing_assertion_lines.insert(line(number));
    right_.outcomes = truth_.outcomes;
    right_.states = truth_.classes;
    right_.complete = true;
  }

  int line(int number) const { return set_.lines[0][static_cast<size_t>(number)]; }
  std::string found(const CheckedResult& checked, Demand demand = Demand::kEqual) const {
    return differences(program_, set_.lines[0], truth_, &races_, checked, demand);
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  Program program_ = with_main({{store(0, 1), load(0, 8), assert_not(0, 1)}, {store(8, 1), load(0, 0)}});
  EmittedSet set_ = emit_c({program_});
  Truth truth_ = brute_force(program_, MemoryModel::kTso);
  Races races_ = find_races(program_, MemoryModel::kTso);
  CheckedResult right_;
};

TEST_F(OracleCompare, TheTruthAgreesWithItself) {
  ASSERT_FALSE(races_.racing.empty());
  ASSERT_FALSE(truth_.failing_assertions.empty());
  EXPECT_EQ(found(right_), "");
  EXPECT_EQ(found(right_, Demand::kSubset), "");
}

TEST_F(OracleCompare, WhatIsMissingIsSaid) {
  CheckedResult less = right_;
  less.outcomes.erase(less.outcomes.begin());
  less.states = *less.states - 1;
  less.racing_lines.clear();
  less.failing_assertion_lines.clear();
  less.complete = false;
  const std::string text = found(less);
  EXPECT_TRUE(contains(text, "missing outcome: t1r0=0 t2r0=0")) << text;
  EXPECT_TRUE(contains(text, "classes: 1 instead of 2")) << text;
  EXPECT_TRUE(contains(text, "missing race: #4 [0:4] = 0x1 plain  and  #8 r0 = [0:4] plain")) << text;
  EXPECT_TRUE(contains(text, "missing failing assertion: #6 assert r0 != 0x1")) << text;
  EXPECT_TRUE(contains(text, "left something out")) << text;
  EXPECT_EQ(found(less, Demand::kSubset), "");
}

TEST_F(OracleCompare, WhatIsTooMuchIsSaid) {
  CheckedResult more = right_;
  more.outcomes.insert({{"t1r0", 5}});
  more.deadlock = true;
  more.enabled_at_once_lines.insert({1, 2});
  for (const Demand demand : {Demand::kEqual, Demand::kSubset}) {
    const std::string text = found(more, demand);
    EXPECT_TRUE(contains(text, "wrong outcome: t1r0=5")) << text;
    EXPECT_TRUE(contains(text, "deadlock: 1 instead of 0")) << text;
    EXPECT_TRUE(contains(text, "wrong race enabled at once: line 1")) << text;
  }
}

TEST_F(OracleCompare, ClassesAreNotComparedWhereHistoriesWereMerged) {
  CheckedResult merged = right_;
  merged.states.reset();
  EXPECT_EQ(found(merged), "");
}

}  // namespace
}  // namespace heddle::oracle
