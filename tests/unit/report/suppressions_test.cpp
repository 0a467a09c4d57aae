// SPDX-License-Identifier: Apache-2.0
#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

property::Finding race_in(const std::string& file, const std::string& function) {
  property::Finding finding;
  finding.kind = "race";
  finding.places = {{file, 3, function, "T0.0"}, {"/src/main.c", 9, "main", "T0"}};
  return finding;
}

Suppressions parsed(const std::string& text) {
  auto suppressions = Suppressions::parse(text, "quiet");
  EXPECT_TRUE(suppressions) << suppressions.error().message;
  return suppressions ? *suppressions : Suppressions();
}

TEST(Suppressions, KindFileAndFunctionMustFit) {
  const property::Finding finding = race_in("/src/cache/evict.c", "evict_one");
  for (const char* line : {"race evict.c", "* evict.c evict_*", "race cache/*  evict_one",
                           "race /src/cache/evict.c evict_?ne", "race *", "race main.c main"})
    EXPECT_EQ(parsed(line).line_for(finding, {}), "quiet:1") << line;
  for (const char* line :
       {"deadlock evict.c", "race vict.c", "race evict.c evict", "race main.c evict_one", "race cache"})
    EXPECT_EQ(parsed(line).line_for(finding, {}), "") << line;
}

TEST(Suppressions, CallersCountToo) {
  const property::Finding finding = race_in("/src/cache.c", "put");
  Circumstances here;
  here.stack = {{"put", "/src/cache.c", 3}, {"refill(int, char)", "/src/refill.cpp", 0}};
  Suppressions suppressions = parsed("race refill.cpp refill(int, char)");
  EXPECT_EQ(suppressions.line_for(finding, {}), "");
  EXPECT_EQ(suppressions.line_for(finding, {here}), "quiet:1")
      << "what follows the file is the function, blanks included";
}

TEST(Suppressions, TheFirstLineThatFitsIsUsed) {
  Suppressions suppressions = parsed("# a comment\n\n  race other.c\nrace cache.c\t put\r\nrace cache.c\n");
  EXPECT_EQ(suppressions.line_for(race_in("cache.c", "put"), {}), "quiet:4");
  EXPECT_EQ(suppressions.unused(), (std::vector<std::string>{"quiet:3: race other.c *", "quiet:5: race cache.c *"}));
}

TEST(Suppressions, DamageIsNamedWithItsLine) {
  for (const std::string& text :
       {std::string("race a.c\nraces a.c"), std::string("\nrace"), std::string("\nrace \0 a.c", 11)}) {
    const auto suppressions = Suppressions::parse(text, "quiet");
    ASSERT_FALSE(suppressions) << text;
    EXPECT_EQ(suppressions.error().message.find("quiet:2:"), 0u) << suppressions.error().message;
  }
}

}  // namespace
}  // namespace heddle::report
