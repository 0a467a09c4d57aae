// SPDX-License-Identifier: Apache-2.0
#include "check/learn/objects.h"

#include <gtest/gtest.h>

namespace heddle::check::learn {
namespace {

TEST(PackedObjects, AnUnusedObjectIsZero) {
  EXPECT_EQ(pack(MutexState()), 0u);
  EXPECT_EQ(pack(RwlockState()), 0u);
  EXPECT_EQ(pack(QueueState()), 0u);
  EXPECT_EQ(pack(BarrierState()), 0u);
  EXPECT_EQ(pack(SemaphoreState()), 0u);
  EXPECT_EQ(pack(OnceState::kNew), 0u);
}

TEST(PackedObjects, AMutexKeepsItsUsersEvenIfThereAreFewerThanNone) {
  for (const int32_t users : {-3, 0, 5}) {
    const MutexState mutex = {17, 3, users, users < 0};
    EXPECT_EQ(unpack<MutexState>(pack(mutex)), mutex);
  }
  EXPECT_EQ(pack(MutexState{17, 3, -3, true}) & kOwner, 17u);
}

TEST(PackedObjects, AReaderWriterLockKeepsReadersAndThoseLinedUp) {
  RwlockState lock;
  lock.readers = static_cast<uint32_t>(-1);
  lock.lined_up.insert(31);
  const RwlockState found = unpack<RwlockState>(pack(lock));
  EXPECT_EQ(found.owner, 0u);
  EXPECT_EQ(found.readers, lock.readers);
  EXPECT_EQ(found.lined_up.bits, lock.lined_up.bits);
  EXPECT_FALSE(found.is_destroyed);
  EXPECT_TRUE(unpack<RwlockState>(pack(lock) | kDestroyed).is_destroyed);
}

TEST(PackedObjects, ABarrierIsInTwoSlots) {
  BarrierState barrier;
  barrier.limit = 0x7fffffff;
  barrier.arrived.insert(31);
  barrier.serial.insert(0);
  barrier.stranded.insert(31);
  barrier.is_destroyed = true;
  const BarrierState found = unpack_barrier(pack(barrier), pack_others(barrier));
  EXPECT_EQ(found.limit, barrier.limit);
  EXPECT_EQ(found.arrived.bits, barrier.arrived.bits);
  EXPECT_EQ(found.serial.bits, barrier.serial.bits);
  EXPECT_EQ(found.stranded.bits, barrier.stranded.bits);
  EXPECT_TRUE(found.is_destroyed);
}

TEST(PackedObjects, ADestroyedSemaphoreKeepsItsTokens) {
  const SemaphoreState found = unpack<SemaphoreState>(pack(SemaphoreState{4, true}));
  EXPECT_EQ(found.tokens, 4u);
  EXPECT_TRUE(found.is_destroyed);
}

}  // namespace
}  // namespace heddle::check::learn
