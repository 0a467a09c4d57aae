// SPDX-License-Identifier: Apache-2.0
#include "program/site_dependence.h"

#include <gtest/gtest.h>

namespace heddle::program {
namespace {

// Sites 3, 5 and 9; 3 and 9 give values; 5 depends on 3, 9 on nothing; 9 is several operations.
SiteDependence small_table() {
  SiteRelation direct(3, 2);
  direct.later_class = {0, 1, 2};
  direct.earlier_class = {0, SiteDependence::kNoClass, 1};
  direct.steers = {true, false, false};
  direct.word(1, 0) = 1;
  direct.share_rows();
  SiteRelation memory = direct;
  return SiteDependence({3, 5, 9}, {false, false, true}, direct, memory);
}

void expect_small_table(const SiteDependence& table) {
  EXPECT_TRUE(table.known());
  EXPECT_TRUE(table.may_depend(5, 3));
  EXPECT_FALSE(table.may_depend(5, 9));
  EXPECT_FALSE(table.may_depend(9, 3));
  EXPECT_FALSE(table.may_depend(9, 5)) << "5 gives nothing";
  EXPECT_TRUE(table.may_depend(9, 9)) << "9 is several operations";
  EXPECT_FALSE(table.may_depend(3, 3));
  EXPECT_TRUE(table.steers(3));
  EXPECT_FALSE(table.steers(9));
}

TEST(SiteDependence, SaysWhatItWasTold) { expect_small_table(small_table()); }

TEST(SiteDependence, MayDependOnEverythingWhereNothingIsKnown) {
  const SiteDependence none, table = small_table();
  EXPECT_FALSE(none.known());
  EXPECT_TRUE(none.may_depend(1, 2));
  EXPECT_TRUE(none.steers(1));
  EXPECT_TRUE(table.may_depend(0, 3));
  EXPECT_TRUE(table.may_depend(5, 4));
  EXPECT_TRUE(table.may_depend_through_memory(5, 1000));
  EXPECT_TRUE(table.steers(1000));
}

TEST(SiteDependence, ComesBackFromItsFile) {
  auto table = SiteDependence::from_bytes(small_table().to_bytes());
  ASSERT_TRUE(table);
  expect_small_table(*table);
}

TEST(SiteDependence, RefusesDamage) {
  const std::string bytes = small_table().to_bytes();
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(SiteDependence::from_bytes(bytes.substr(0, length))) << length;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 0x41);
    EXPECT_FALSE(SiteDependence::from_bytes(other)) << at;
  }
}

}  // namespace
}  // namespace heddle::program
