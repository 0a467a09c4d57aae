// SPDX-License-Identifier: Apache-2.0
#include "report/markup.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Markup, WhatHasAMeaningIsEscaped) {
  EXPECT_EQ(escaped_markup("<a href=\"x\">&amp;</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;");
}

TEST(Markup, WhatIsNoTextIsReplaced) {
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(escaped_markup(std::string_view("a\0b", 3)), "a" + replaced + "b");
  EXPECT_EQ(escaped_markup("\x1b[31m"), replaced + "[31m");
  EXPECT_EQ(escaped_markup("\xff"), replaced);
  EXPECT_EQ(escaped_markup("\xc3"), replaced) << "broken off";
  EXPECT_EQ(escaped_markup("\xc0\xbc"), replaced + replaced) << "a < that is written too long";
  EXPECT_EQ(escaped_markup("\xed\xa0\x80"), replaced + replaced + replaced) << "half of a pair";
  EXPECT_EQ(escaped_markup("gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb5\n\t"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb5\n\t");
}

TEST(Markup, JsonCannotEndItsScript) {
  EXPECT_EQ(escaped_json("{\"a\": \"</script><!--\"}"), "{\"a\": \"\\u003c/script>\\u003c!--\"}");
}

}  // namespace
}  // namespace heddle::report
