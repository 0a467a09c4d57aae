// SPDX-License-Identifier: Apache-2.0
#include "reproduce/path_window.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::reproduce {
namespace {

constexpr uint32_t kBranch = 5, kSwitch = 9;

HeddleRecord branch(char bit) {
  HeddleRecord record = {};
  record.kind = HEDDLE_BRANCH;
  record.site = kBranch;
  record.value = bit == '1' ? 0 : 1;
  return record;
}

// A store before each branch.
std::vector<HeddleRecord> run(const std::string& bits) {
  std::vector<HeddleRecord> records;
  for (const char bit : bits) {
    HeddleRecord store = {};
    store.kind = HEDDLE_STORE;
    records.push_back(store);
    records.push_back(branch(bit));
  }
  return records;
}

record::Thread kept(uint64_t skipped, const std::string& bits) {
  record::Thread thread;
  thread.name = "T0";
  thread.from_beginning = false;
  thread.skipped = skipped;
  for (const char bit : bits) thread.path.append(bit == '1');
  return thread;
}

const std::string kLoop = "1101101101101101", kEnd = "00101110010";

TEST(PathWindow, IsWhereTheNumberOfDroppedBranchesSays) {
  const record::Thread thread = kept(12, kEnd);
  const std::vector<HeddleRecord> records = run(std::string(12, '1') + kEnd);
  const PathWindow window = find_window(records, thread, {});
  EXPECT_EQ(window.bits, 12u);
  EXPECT_EQ(window.records, 25u);  // the store before the first branch of the path is not part of it
  const Agreement agreement = compare(records, &thread, {});
  EXPECT_EQ(agreement.kind, Agreement::Kind::kBeyond);
  EXPECT_EQ(agreement.bits, kEnd.size());
  EXPECT_EQ(agreement.free_bits, 12u);
}

TEST(PathWindow, MayLieElsewhereIfItAgreesFurtherThere) {
  const record::Thread thread = kept(30, kLoop + kEnd);
  for (const size_t before : {20u, 27u, 33u, 51u}) {
    const std::vector<HeddleRecord> records = run(std::string(before, '0') + kLoop + kEnd);
    const Agreement agreement = compare(records, &thread, {});
    EXPECT_EQ(agreement.free_bits, before);
    EXPECT_EQ(agreement.kind, Agreement::Kind::kBeyond);
  }
}

// A loop that went round three times more: what counts is where it ends.
TEST(PathWindow, OfALoopTheEndCounts) {
  const std::string round = "110";
  std::string loop;
  for (int i = 0; i < 20; ++i) loop += round;
  const record::Thread thread = kept(90, loop + kEnd);
  const std::vector<HeddleRecord> records = run(std::string(90, '0') + round + round + round + loop + kEnd);
  EXPECT_EQ(compare(records, &thread, {}).free_bits, 99u);
}

TEST(PathWindow, OfPlacesThatAgreeAsFarTheNearestCounts) {
  const std::string way = kLoop + "0" + kLoop + "0";
  const record::Thread thread = kept(40, kLoop + "00");  // deviates behind the loop, wherever it is
  const std::vector<HeddleRecord> records = run("0000" + way + way);
  const PathWindow window = find_window(records, thread, {});
  EXPECT_EQ(window.bits, 4 + way.size());
  EXPECT_EQ(compare(records, &thread, {}).kind, Agreement::Kind::kDeviates);
}

TEST(PathWindow, ARunMayNotComeSoFar) {
  const record::Thread thread = kept(40, kLoop + kEnd);
  const std::vector<HeddleRecord> records = run("0000000000");
  const Agreement agreement = compare(records, &thread, {});
  EXPECT_EQ(agreement.kind, Agreement::Kind::kShort);
  EXPECT_EQ(agreement.bits, 0u);
  EXPECT_EQ(agreement.certain_records, 0u);
  EXPECT_EQ(agreement.records, records.size());
}

TEST(PathWindow, MayBeginWithinASwitch) {
  const SwitchNumbers switches = {{kSwitch, {0, 1, 2, 3}}};
  HeddleRecord choice = branch('1');
  choice.site = kSwitch;
  choice.value = 2;  // the bits 1 and 0
  std::vector<HeddleRecord> records = run("111");
  records.push_back(choice);
  for (const char bit : kEnd + kLoop) records.push_back(branch(bit));
  const record::Thread thread = kept(4, "0" + kEnd + kLoop);  // of the switch, the last bit
  const PathWindow window = find_window(records, thread, switches);
  EXPECT_EQ(window.bits, 5u);
  EXPECT_EQ(window.unseen, 1u);
  EXPECT_EQ(compare(records, &thread, switches).kind, Agreement::Kind::kBeyond);
}

}  // namespace
}  // namespace heddle::reproduce
