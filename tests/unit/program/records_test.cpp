// SPDX-License-Identifier: Apache-2.0
#include "program/records.h"

#include <gtest/gtest.h>

namespace heddle::program {
namespace {

TEST(Records, ModulesComeBackInOrder) {
  const std::string section = encode_module({"a.c", "x86_64-pc-linux-gnu", "unoptimised a", "optimised a"}) +
                              encode_module({"dir/b.cpp", "x86_64-pc-linux-gnu", "unoptimised b", ""});
  const auto modules = decode_modules(section, "prog");
  ASSERT_TRUE(modules) << modules.error().message;
  ASSERT_EQ(modules->size(), 2u);
  EXPECT_EQ((*modules)[0].source_name, "a.c");
  EXPECT_EQ((*modules)[0].optimised, "optimised a");
  EXPECT_EQ((*modules)[1].source_name, "dir/b.cpp");
  EXPECT_EQ((*modules)[1].unoptimised, "unoptimised b");
}

TEST(Records, LinkFactsComeBack) {
  LinkFacts facts;
  facts.needs_cxx = true;
  facts.shared_libraries = {"/lib/libz.so.1", "/odd/\xff\xfe/name.so"};
  facts.rpaths = {"$ORIGIN/../lib"};
  facts.flags = {"-lm", "-rdynamic"};
  facts.native_objects = {{"start.o", std::string("\x7f"
                                                  "ELF\0\1",
                                                  6)},
                          {"libx.a(y.o)", ""}};
  const auto links = decode_links(encode_link(facts), "prog");
  ASSERT_TRUE(links) << links.error().message;
  ASSERT_EQ(links->size(), 1u);
  const LinkFacts& back = links->front();
  EXPECT_TRUE(back.needs_cxx);
  EXPECT_EQ(back.shared_libraries, facts.shared_libraries);
  EXPECT_EQ(back.rpaths, facts.rpaths);
  EXPECT_EQ(back.flags, facts.flags);
  ASSERT_EQ(back.native_objects.size(), 2u);
  EXPECT_EQ(back.native_objects[0].name, "start.o");
  EXPECT_EQ(back.native_objects[0].bytes, facts.native_objects[0].bytes);
}

TEST(Records, AddingFactsRepeatsNothing) {
  LinkFacts facts;
  facts.flags = {"-lm"};
  LinkFacts more;
  more.flags = {"-lm", "-ldl"};
  more.needs_cxx = true;
  add_link_facts(facts, more);
  EXPECT_EQ(facts.flags, (std::vector<std::string>{"-lm", "-ldl"}));
  EXPECT_TRUE(facts.needs_cxx);
}

TEST(Records, RecordOfTheWrongKindIsRefused) { EXPECT_FALSE(decode_links(encode_module({}), "prog")); }

}  // namespace
}  // namespace heddle::program
