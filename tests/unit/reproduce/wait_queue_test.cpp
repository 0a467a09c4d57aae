// SPDX-License-Identifier: Apache-2.0
#include "reproduce/wait_queue.h"

#include <gtest/gtest.h>

namespace heddle::reproduce {
namespace {

TEST(WaitQueue, ASignalIsForThoseWhoWaitedWhenItWasSent) {
  WaitQueue queue;
  queue.wake(1);  // nobody waits: it is lost
  queue.wait(0);
  EXPECT_FALSE(queue.is_woken(0));
  queue.wake(1);
  queue.wait(1);
  EXPECT_TRUE(queue.is_woken(0));
  EXPECT_FALSE(queue.is_woken(1));
  queue.resume(0);
  EXPECT_FALSE(queue.is_woken(1));
}

TEST(WaitQueue, AnyOfThoseMayTakeIt) {
  for (const uint32_t first : {0u, 1u}) {
    WaitQueue queue;
    queue.wait(0);
    queue.wait(1);
    queue.wake(1);
    EXPECT_TRUE(queue.is_woken(0) && queue.is_woken(1));
    queue.resume(first);
    EXPECT_FALSE(queue.is_woken(1 - first));
  }
}

TEST(WaitQueue, SignalsBeyondTheNumberOfWaitersAreLost) {
  WaitQueue queue;
  queue.wait(0);
  queue.wake(1);
  queue.wake(1);
  queue.wake(100);
  queue.wait(1);
  EXPECT_FALSE(queue.all_are_woken());
  EXPECT_FALSE(queue.is_woken(1));
  queue.wake(100);
  EXPECT_TRUE(queue.all_are_woken());
}

TEST(WaitQueue, WhoeverLeavesWasNotWoken) {
  WaitQueue queue;
  queue.wait(0);
  EXPECT_TRUE(queue.can_leave(0));
  queue.wait(1);
  queue.wake(1);
  EXPECT_TRUE(queue.can_leave(0)) << "thread 1 took the signal";
  queue.wake(1);
  EXPECT_FALSE(queue.can_leave(0)) << "each of them took one";
  queue.resume(1);
  EXPECT_FALSE(queue.can_leave(0));

  WaitQueue later;
  later.wait(0);
  later.wake(1);
  later.wait(1);
  EXPECT_FALSE(later.can_leave(0)) << "thread 1 came after the signal";
  EXPECT_TRUE(later.can_leave(1));
}

TEST(WaitQueue, TakesTheOldestSignal) {
  WaitQueue queue;
  queue.wait(0);
  queue.wake(1);
  queue.wait(1);
  queue.wake(1);
  queue.resume(0);
  EXPECT_TRUE(queue.is_woken(1));
}

}  // namespace
}  // namespace heddle::reproduce
