// SPDX-License-Identifier: Apache-2.0
#include "causal/sections.h"

#include <gtest/gtest.h>

namespace heddle::causal {
namespace {

constexpr uint64_t kMutex = 0x100, kCondition = 0x200;

HeddleRecord operation(uint8_t kind, uint64_t address, uint64_t value, uint8_t flags = 0) {
  HeddleRecord record = {};
  record.kind = kind;
  record.address = address;
  record.value = value;
  record.flags = flags;
  return record;
}

TEST(Sections, AWaitEndsTheSectionOfItsMutexAndBeginsAnother) {
  const std::vector<HeddleRecord> operations = {
      operation(HEDDLE_MUTEX_LOCK, kMutex, 1), operation(HEDDLE_COND_WAIT, kCondition, kMutex),
      operation(HEDDLE_COND_RESUME, kCondition, kMutex), operation(HEDDLE_MUTEX_UNLOCK, kMutex, 0)};
  const std::vector<HeldSection> sections = sections_of(0, operations);
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].release, 1u);
  EXPECT_EQ(sections[1].acquire, 2u);
  EXPECT_EQ(sections[1].release, 3u);
}

TEST(Sections, AWaitWithAMutexLockedTwiceKeepsIt) {
  const std::vector<HeddleRecord> operations = {
      operation(HEDDLE_MUTEX_LOCK, kMutex, 1),         operation(HEDDLE_MUTEX_LOCK, kMutex, 2),
      operation(HEDDLE_COND_WAIT, kCondition, kMutex), operation(HEDDLE_COND_RESUME, kCondition, kMutex),
      operation(HEDDLE_MUTEX_UNLOCK, kMutex, 1),       operation(HEDDLE_MUTEX_UNLOCK, kMutex, 0)};
  const std::vector<HeldSection> sections = sections_of(0, operations);
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections[0].acquire, 0u);
  EXPECT_EQ(sections[0].release, 5u);
}

TEST(Sections, AWaitThatFailsChangesNothing) {
  const std::vector<HeddleRecord> operations = {operation(HEDDLE_MUTEX_LOCK, kMutex, 1),
                                                operation(HEDDLE_COND_WAIT, kCondition, kMutex, HEDDLE_FLAG_FAILED),
                                                operation(HEDDLE_MUTEX_UNLOCK, kMutex, 0)};
  const std::vector<HeldSection> sections = sections_of(0, operations);
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections[0].release, 2u);
}

}  // namespace
}  // namespace heddle::causal
