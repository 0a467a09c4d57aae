// SPDX-License-Identifier: Apache-2.0
#include "schedule/thread_name.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace heddle::schedule {
namespace {

TEST(ThreadName, PrintsItsPath) {
  EXPECT_EQ(ThreadName().text(), "T0");
  EXPECT_EQ(ThreadName({1, 2}).text(), "T0.1.2");
  EXPECT_EQ(ThreadName({1}).child(7).text(), "T0.1.7");
  EXPECT_EQ(ThreadName({1, 7}).parent().text(), "T0.1");
}

TEST(ThreadName, ParsesWhatItPrints) {
  EXPECT_TRUE(rc::check([](const std::vector<uint32_t>& path) {
    const ThreadName name(path);
    RC_ASSERT(ThreadName::parse(name.text()) == name);
  }));
}

TEST(ThreadName, RefusesEverythingElse) {
  for (const char* text : {"", "T", "T1", "t0", "T0.", "T0..1", "T0.x", "T0.-1", "T0.+1", "T0.01", "T00", "T0.1 ",
                           " T0", "T0.4294967296", "T0.99999999999999999999", "T0.1.", "T0,1"}) {
    EXPECT_FALSE(ThreadName::parse(text)) << text;
  }
  EXPECT_TRUE(ThreadName::parse("T0.4294967295"));
  EXPECT_TRUE(ThreadName::parse("T0.0"));
}

TEST(ThreadName, RefusesPathsThatAreTooDeep) {
  std::string text = "T0";
  for (size_t i = 0; i < ThreadName::kMaxDepth; ++i) text += ".0";
  EXPECT_TRUE(ThreadName::parse(text));
  EXPECT_FALSE(ThreadName::parse(text + ".0"));
}

TEST(ThreadName, IsOrderedAsTheTree) {
  const ThreadName names[] = {ThreadName(),    ThreadName({0}), ThreadName({0, 1}),
                              ThreadName({1}), ThreadName({2}), ThreadName({10})};
  for (size_t i = 0; i + 1 < std::size(names); ++i) EXPECT_LT(names[i], names[i + 1]);
}

}  // namespace
}  // namespace heddle::schedule
