// SPDX-License-Identifier: Apache-2.0
//
// Names in free traces, where only part of the order is known.
#include <gtest/gtest.h>

#include "hand_made_trace.h"
#include "naming/names.h"

namespace heddle::naming {
namespace {

constexpr uint64_t kA = 0x10000;
constexpr uint64_t kLock = 0x90000;

class FreeTraceTest : public testing::Test {
 protected:
  FreeTraceTest() : child(run.thread(0)) {}
  std::string own(uint32_t event) {
    return Names(run.trace()).object_at(run.event(event), run.event(event).record.address);
  }

  HandMadeTrace run{trace::Mode::kFree};
  const uint32_t child;
};

TEST_F(FreeTraceTest, SynchronisationOrdersThreads) {
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1, 1);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(0, HEDDLE_MUTEX_UNLOCK, kLock, 0, 3);
  run.add(0, HEDDLE_MUTEX_LOCK, kLock, 0, 6);
  run.add(0, HEDDLE_FREE, kA);
  run.add(0, HEDDLE_MUTEX_UNLOCK, kLock, 0, 7);
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  run.add(child, HEDDLE_MUTEX_LOCK, kLock, 0, 4);
  const uint32_t used = run.add(child, HEDDLE_LOAD, kA);
  run.add(child, HEDDLE_MUTEX_UNLOCK, kLock, 0, 5);
  run.add(child, HEDDLE_MUTEX_LOCK, kLock, 0, 8);
  const uint32_t used_later = run.add(child, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(used), "heap T0#0");
  EXPECT_EQ(own(used_later), "heap T0#0 (freed)");

  const Names names(run.trace());
  uint32_t place = 0;
  for (const uint32_t event : names.order().events()) EXPECT_EQ(names.order().time(event), place++);
  EXPECT_TRUE(names.order().surely_before(1, used));
  EXPECT_FALSE(names.order().surely_before(used, 1));
}

TEST_F(FreeTraceTest, AnAccessWithoutSynchronisationBelongsToWhatWasAllocated) {
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1, 1);
  run.add(0, HEDDLE_YIELD, 0, 0, 3);
  run.add(0, HEDDLE_ALLOC, kA, 16);  // published without any synchronisation
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  const uint32_t used = run.add(child, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(used), "heap T0#0");
}

TEST_F(FreeTraceTest, AnAccessThatSurelyCameEarlierDoesNot) {
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1, 1);
  run.add(0, HEDDLE_YIELD, 0, 0, 4);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  const uint32_t used = run.add(child, HEDDLE_LOAD, kA);
  run.add(child, HEDDLE_YIELD, 0, 0, 3);
  EXPECT_EQ(own(used), "unknown T0.0#0");
}

TEST_F(FreeTraceTest, AFreeThatMayComeLaterDoesNotCount) {
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1, 1);
  run.add(0, HEDDLE_FREE, kA);
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  const uint32_t used = run.add(child, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(used), "heap T0#0");
}

TEST_F(FreeTraceTest, WithinAThreadTheOrderIsKnown) {
  const uint32_t before = run.add(0, HEDDLE_LOAD, kA);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(0, HEDDLE_FREE, kA);
  const uint32_t after = run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(before), "unknown T0#0");
  EXPECT_EQ(own(after), "heap T0#0 (freed)");
}

}  // namespace
}  // namespace heddle::naming
