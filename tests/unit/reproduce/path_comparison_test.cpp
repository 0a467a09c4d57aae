// SPDX-License-Identifier: Apache-2.0
#include "reproduce/path_comparison.h"

#include <gtest/gtest.h>

namespace heddle::reproduce {
namespace {

constexpr uint32_t kBranch = 5, kSwitch = 9;

HeddleRecord record(HeddleKind kind, uint32_t site, uint64_t value = 0) {
  HeddleRecord result = {};
  result.kind = kind;
  result.site = site;
  result.value = value;
  return result;
}
// The first successor is the one of a set bit.
HeddleRecord branch(bool bit) { return record(HEDDLE_BRANCH, kBranch, bit ? 0 : 1); }

record::Thread recorded(std::initializer_list<bool> bits) {
  record::Thread thread;
  thread.name = "T0";
  for (const bool bit : bits) thread.path.append(bit);
  return thread;
}

TEST(PathComparison, FindsTheBranchThatWentAnotherWay) {
  const std::vector<HeddleRecord> run = {record(HEDDLE_LOAD, 1), branch(true), record(HEDDLE_LOAD, 2), branch(true),
                                         branch(false)};
  const record::Thread thread = recorded({true, false, false});
  const Agreement found = compare(run, &thread, {});
  EXPECT_EQ(found.kind, Agreement::Kind::kDeviates);
  EXPECT_EQ(found.records, 4u);
  EXPECT_EQ(found.other_way, 1u);
  EXPECT_EQ(found.bits, 1u);
  EXPECT_EQ(found.certain_records, 2u);
}

TEST(PathComparison, EndsBeforeTheFirstBranchThatWasNotRecorded) {
  const std::vector<HeddleRecord> run = {branch(true), record(HEDDLE_STORE, 2), branch(true)};
  const record::Thread thread = recorded({true});
  const Agreement found = compare(run, &thread, {});
  EXPECT_EQ(found.kind, Agreement::Kind::kBeyond);
  EXPECT_EQ(found.records, 2u);
  EXPECT_EQ(found.certain_records, 1u);
}

TEST(PathComparison, ARunMayBeShorter) {
  const std::vector<HeddleRecord> run = {branch(true), record(HEDDLE_STORE, 2)};
  const record::Thread thread = recorded({true, true});
  EXPECT_EQ(compare(run, &thread, {}).kind, Agreement::Kind::kShort);
  EXPECT_EQ(compare(run, nullptr, {}).kind, Agreement::Kind::kUnknown);
}

TEST(PathComparison, SwitchesTakeAsManyBitsAsTheyHaveBlocks) {
  const SwitchNumbers switches = {{kSwitch, {0, 1, 2, 1}}};  // two cases go to one block
  const record::Thread thread = recorded({false, true, true});
  const auto with = [&](uint64_t successor) {
    return compare({record(HEDDLE_BRANCH, kSwitch, successor), branch(true)}, &thread, switches);
  };
  EXPECT_EQ(with(1).kind, Agreement::Kind::kBeyond);
  EXPECT_EQ(with(3).kind, Agreement::Kind::kBeyond);
  EXPECT_EQ(with(2).kind, Agreement::Kind::kDeviates);
  EXPECT_EQ(with(2).other_way, 1u);
}

}  // namespace
}  // namespace heddle::reproduce
