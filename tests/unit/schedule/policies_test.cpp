// SPDX-License-Identifier: Apache-2.0
#include "schedule/policies.h"

#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

TEST(Strategy, ParsesEachPolicy) {
  for (const PolicyKind kind : {PolicyKind::kDefault, PolicyKind::kRandom, PolicyKind::kPct}) {
    const auto strategy = parse_strategy(policy_kind_name(kind));
    ASSERT_TRUE(strategy);
    EXPECT_EQ(strategy->policy.kind, kind);
    EXPECT_FALSE(strategy->replay);
    EXPECT_EQ(strategy_text(*strategy), policy_kind_name(kind));
  }
}

TEST(Strategy, ReplayNamesAFileAndGoesOnByDefault) {
  const auto strategy = parse_strategy("replay:runs/a:b.schedule");
  ASSERT_TRUE(strategy);
  EXPECT_EQ(strategy->replay, "runs/a:b.schedule");
  EXPECT_EQ(strategy->policy, Policy());
  EXPECT_EQ(strategy_text(*strategy), "replay:runs/a:b.schedule");
}

TEST(Strategy, SuggestsWhatWasMeant) {
  const auto hint = [](std::string_view text) {
    const auto strategy = parse_strategy(text);
    return strategy ? "parsed" : strategy.error().hint;
  };
  EXPECT_EQ(hint("randon"), "Did you mean \"random\"?");
  EXPECT_EQ(hint("defualt"), "Did you mean \"default\"?");
  EXPECT_EQ(hint("cpt"), "Did you mean \"pct\"?");
  EXPECT_EQ(hint("replay"), "Did you mean \"replay:FILE\"?");
  EXPECT_EQ(hint("repaly:a.schedule"), "Did you mean \"replay:FILE\"?");
  EXPECT_EQ(hint("replay:"), "Write replay:FILE with the path of a schedule.");
  EXPECT_EQ(hint("depth-first"), "Use default, random, pct or replay:FILE.");
  EXPECT_EQ(hint(""), "Use default, random, pct or replay:FILE.");
}

TEST(Strategy, MessagesStayShort) {
  EXPECT_EQ(parse_strategy("fifo").error().message, "there is no strategy \"fifo\"");
  EXPECT_LT(parse_strategy(std::string(100000, 'x')).error().message.size(), 100u);
}

}  // namespace
}  // namespace heddle::schedule
