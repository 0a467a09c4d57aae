// SPDX-License-Identifier: Apache-2.0
#include "build/link_trace.h"

#include "built_program.h"

namespace heddle::build {
namespace {

TEST(LinkTrace, UnderstandsAllLinkers) {
  Workshop shop;
  const std::string object = shop.file("a (1).o", "");
  const std::string archive = shop.file("lib(x).a", "");
  const LinkTrace trace =
      parse_link_trace(object + "\n" + archive + "(y.o)\n(" + archive + ")z.o\nLOAD something\n" + object);
  const std::vector<LinkedFile> expected = {{object, ""}, {archive, "y.o"}, {archive, "z.o"}};
  EXPECT_EQ(trace.files, expected);
  EXPECT_EQ(trace.other_output, "LOAD something\n");
}

}  // namespace
}  // namespace heddle::build
