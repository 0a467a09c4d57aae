// SPDX-License-Identifier: Apache-2.0
#include "property/stable_identity.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::property {
namespace {

using trace::Site;

Finding at_lines(uint32_t one, uint32_t other, const std::string& folder = "") {
  Finding finding;
  finding.kind = "race";
  finding.places = {{folder + "p.c", one, "add", "T0.0"}, {folder + "p.c", other, "add", "T0.1"}};
  return finding;
}

const std::vector<Site> kBefore = {
    {}, {"p.c", 3, 1, "main", "x"}, {"p.c", 10, 1, "add", "x"}, {"p.c", 12, 1, "add", "x"}, {"p.c", 14, 1, "add", "y"}};

TEST(StableIdentity, MovedLinesAreTheSame) {
  const std::vector<Site> after = {{},
                                   {"p.c", 3, 1, "main", "x"},
                                   {"p.c", 4, 1, "main", "x"},
                                   {"p.c", 20, 1, "add", "x"},
                                   {"p.c", 21, 1, "add", "z"},
                                   {"p.c", 25, 1, "add", "x"},
                                   {"p.c", 26, 1, "add", "y"}};
  EXPECT_EQ(stable_identity(at_lines(10, 12), kBefore), stable_identity(at_lines(20, 25), after));
  EXPECT_EQ(stable_identity(at_lines(12, 14), kBefore), stable_identity(at_lines(25, 26), after));
}

TEST(StableIdentity, OrderOfPlacesAndFoldersDoNotCount) {
  std::vector<Site> moved = kBefore;
  for (Site& site : moved)
    if (!site.file.empty()) site.file = "/other/" + site.file;
  EXPECT_EQ(stable_identity(at_lines(10, 12), kBefore), stable_identity(at_lines(12, 10, "/other/"), moved));
}

TEST(StableIdentity, DifferentPlacesAreDifferent) {
  std::set<std::string> identities;
  for (const uint32_t one : {10, 12, 14})
    for (const uint32_t other : {10, 12, 14})
      if (one <= other) identities.insert(stable_identity(at_lines(one, other), kBefore));
  EXPECT_EQ(identities.size(), 6u);
  Finding finding = at_lines(10, 12);
  finding.kind = "deadlock";
  EXPECT_NE(stable_identity(finding, kBefore), stable_identity(at_lines(10, 12), kBefore));
}

}  // namespace
}  // namespace heddle::property
