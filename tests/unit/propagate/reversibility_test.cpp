// SPDX-License-Identifier: Apache-2.0
//
// The reversibility check on runs written down by hand.
#include "propagate/reversibility/reversibility.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../naming/hand_made_trace.h"
#include "propagate/reversibility/check_reversal.h"

namespace heddle::propagate {
namespace {

using Verdict = Reversibility::Verdict;

constexpr uint64_t kSum = 0x10000, kFlag = 0x10040, kLock = 0x20000, kBarrier = 0x20040, kOnce = 0x20080;
constexpr uint64_t kStack = 0x7fff0000, kHeap = 0x50000;

class ReversibilityTest : public testing::Test {
 protected:
  ReversibilityTest() {
    run.trace().header.memory_model = "sc";
    run.global("a.c:sum", kSum, 8);
    run.global("a.c:flag", kFlag, 8);
  }

  uint32_t create() {
    const uint32_t child = run.thread(0);
    run.add(0, HEDDLE_THREAD_CREATE, 0, child);
    run.add(child, HEDDLE_THREAD_START);
    return child;
  }
  void end(uint32_t child) { run.add(child, HEDDLE_THREAD_END); }
  void join(uint32_t child) { run.add(0, HEDDLE_THREAD_JOIN, 0, child); }
  uint32_t add(uint32_t thread, HeddleKind kind, uint64_t address = 0, uint64_t value = 0, uint8_t flags = 0) {
    const uint32_t place = run.add(thread, kind, address, value);
    run.trace().events[place].record.flags = flags;
    return place;
  }
  // sum = sum + by, under the lock
  void accumulate(uint32_t thread, uint64_t from, uint64_t by) {
    add(thread, HEDDLE_MUTEX_LOCK, kLock);
    add(thread, HEDDLE_LOAD, kSum, from);
    add(thread, HEDDLE_STORE, kSum, from + by);
    add(thread, HEDDLE_MUTEX_UNLOCK, kLock);
  }
  Reversibility check() {
    add(0, HEDDLE_EXIT);
    auto result = check_reversibility(run.trace());
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : Reversibility{};
  }
  void expect_refused(const std::string& reason) {
    const Reversibility result = check();
    EXPECT_EQ(result.verdict, Verdict::kRefused);
    ASSERT_EQ(result.reasons.size(), 1u);
    EXPECT_NE(result.reasons[0].find(reason), std::string::npos) << result.reasons[0];
  }

  naming::HandMadeTrace run;
};

TEST_F(ReversibilityTest, AnAccumulationUnderALockIsReversible) {
  const uint32_t a = create(), b = create();
  accumulate(a, 0, 5);
  accumulate(b, 5, 7);
  end(a), end(b), join(a), join(b);
  const Reversibility result = check();
  ASSERT_EQ(result.verdict, Verdict::kReversible);
  const Reversal& reversal = *result.reversal;
  EXPECT_EQ(run.event(reversal.first).record.thread, a);
  EXPECT_EQ(run.event(reversal.second).record.thread, b);
  const std::string text = reversal_text(run.trace(), reversal);
  EXPECT_NE(text.find("global a.c:sum"), std::string::npos) << text;
  // b's section comes first in the order.
  EXPECT_LT(text.find("> T0.1"), text.find("> T0.0")) << text;
}

TEST_F(ReversibilityTest, OneBetweenBarriersIsNot) {
  const uint32_t a = create(), b = create();
  const auto meet = [&] {
    for (const uint32_t thread : {a, b}) add(thread, HEDDLE_BARRIER_ARRIVE, kBarrier);
    add(a, HEDDLE_BARRIER_LEAVE, kBarrier, 0, HEDDLE_FLAG_SERIAL);
    add(b, HEDDLE_BARRIER_LEAVE, kBarrier);
  };
  accumulate(a, 0, 5);
  meet();
  accumulate(b, 5, 7);
  meet();
  accumulate(a, 12, 1);
  end(a), end(b), join(a), join(b);
  add(0, HEDDLE_LOAD, kSum, 13);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, WritesOfTheSameValueAreNotDependent) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_STORE, kFlag, 1);
  add(b, HEDDLE_STORE, kFlag, 1);
  end(a), end(b), join(a), join(b);
  add(0, HEDDLE_LOAD, kFlag, 1);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, WritesOfDifferentValuesAre) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_STORE, kFlag, 2);
  add(a, HEDDLE_STORE, kFlag, 1);
  add(b, HEDDLE_STORE, kFlag, 1);  // with the first of them
  end(a), end(b), join(a), join(b);
  const Reversibility result = check();
  ASSERT_EQ(result.verdict, Verdict::kReversible);
  EXPECT_EQ(run.event(result.reversal->first).record.value, 2u);
}

TEST_F(ReversibilityTest, PartsOfAWordAreToldApart) {
  const uint32_t a = create(), b = create();
  run.trace().events[add(a, HEDDLE_STORE, kFlag, 1)].record.size = 4;
  run.trace().events[add(b, HEDDLE_STORE, kFlag + 4, 2)].record.size = 4;
  end(a), end(b), join(a), join(b);
  add(0, HEDDLE_LOAD, kFlag);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, AtomicOperationsCount) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_RMW, kSum, 0);
  add(b, HEDDLE_RMW, kSum, 0);
  end(a), end(b), join(a), join(b);
  EXPECT_EQ(check().verdict, Verdict::kReversible);
}

// A thread cannot enter a section while the one who created it is inside.
TEST_F(ReversibilityTest, ALockMayKeepTheOrder) {
  add(0, HEDDLE_MUTEX_LOCK, kLock);
  const uint32_t a = create();
  add(0, HEDDLE_STORE, kSum, 1);
  add(0, HEDDLE_MUTEX_UNLOCK, kLock);
  accumulate(a, 1, 1);
  end(a), join(a);
  const Reversibility result = check();
  EXPECT_EQ(result.verdict, Verdict::kFixed);
  EXPECT_GT(result.candidates, 0u);
}

// Rows that workers take from a counter: who gets which is not fixed.
TEST_F(ReversibilityTest, ACounterOfWorkIsReversible) {
  const uint32_t workers[] = {create(), create(), create()};
  for (uint64_t row = 0; row < 9; ++row) {
    const uint32_t worker = workers[row * row % 3];
    accumulate(worker, row, 1);
    add(worker, HEDDLE_STORE, kHeap + 8 * row, 100 + row);
  }
  for (const uint32_t worker : workers) end(worker);
  for (const uint32_t worker : workers) join(worker);
  EXPECT_EQ(check().verdict, Verdict::kReversible);
}

TEST_F(ReversibilityTest, SignalsAndPostsOrderNothing) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_STORE, kSum, 1);
  add(a, HEDDLE_SEM_POST, kOnce, 1);
  add(b, HEDDLE_SEM_WAIT, kOnce);
  add(b, HEDDLE_LOAD, kSum, 1);
  end(a), end(b), join(a), join(b);
  EXPECT_EQ(check().verdict, Verdict::kReversible);
}

TEST_F(ReversibilityTest, AStackSlotUsedAgainIsNoConflict) {
  const auto use_slot = [&](uint32_t thread, uint64_t value) {
    add(thread, HEDDLE_STACK_OBJECT, kStack, 8);
    add(thread, HEDDLE_STORE, kStack, value);
    add(thread, HEDDLE_LOAD, kStack, value);
    add(thread, HEDDLE_STACK_OBJECT_END, kStack, 8);
  };
  const uint32_t a = create(), b = create();
  use_slot(a, 1);  // nothing orders the two: a was detached, and b got its stack
  use_slot(b, 2);
  end(a), end(b), join(a), join(b);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, AHeapBlockUsedAgainIsNoConflict) {
  const uint32_t a = create(), b = create();
  for (const uint32_t thread : {a, b}) {
    add(thread, HEDDLE_ALLOC, kHeap, 16);
    add(thread, HEDDLE_STORE, kHeap + 8, thread);
    add(thread, HEDDLE_FREE, kHeap);
  }
  end(a), end(b), join(a), join(b);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

// In the order of a free trace the child's block seems to be there before T0 is
// done with its own.
TEST(ReversibilityOfFreeRun, AnAccessMeansTheObjectThatIsSurelyThere) {
  naming::HandMadeTrace run(trace::Mode::kFree);
  run.trace().header.memory_model = "sc";
  const uint32_t child = run.thread(0);
  run.add(0, HEDDLE_ALLOC, kHeap, 16);
  run.add(0, HEDDLE_THREAD_CREATE, 0, child, 1);
  run.add(0, HEDDLE_MUTEX_LOCK, kLock, 0, 4);
  run.add(0, HEDDLE_STORE, kHeap, 1);
  run.add(0, HEDDLE_FREE, kHeap);
  run.add(0, HEDDLE_MUTEX_UNLOCK, kLock, 0, 5);
  run.add(0, HEDDLE_THREAD_JOIN, 0, child, 6);
  run.add(0, HEDDLE_EXIT, 0, 0, 7);
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  run.add(child, HEDDLE_ALLOC, kHeap, 16);
  run.add(child, HEDDLE_STORE, kHeap, 2);
  run.add(child, HEDDLE_FREE, kHeap);
  run.add(child, HEDDLE_THREAD_END, 0, 0, 3);
  const auto result = check_reversibility(run.trace());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, AFreeThatMayComeFirstIsAConflict) {
  add(0, HEDDLE_ALLOC, kHeap, 16);
  const uint32_t a = create();
  add(a, HEDDLE_LOAD, kHeap + 8);
  add(0, HEDDLE_FREE, kHeap);
  end(a), join(a);
  EXPECT_EQ(check().verdict, Verdict::kReversible);
}

TEST_F(ReversibilityTest, WhoInitialisesMustBeFixed) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_ONCE_ENTER, kOnce, 1);
  add(a, HEDDLE_STORE, kSum, 1);
  add(a, HEDDLE_ONCE_DONE, kOnce);
  add(b, HEDDLE_ONCE_ENTER, kOnce, 0);
  add(b, HEDDLE_LOAD, kSum, 1);
  end(a), end(b), join(a), join(b);
  expect_refused("which thread runs a one-time initialisation is not fixed");
}

TEST_F(ReversibilityTest, OneTimeInitialisationOrders) {
  add(0, HEDDLE_ONCE_ENTER, kOnce, 1);
  const uint32_t a = create();
  add(0, HEDDLE_STORE, kSum, 1);
  add(0, HEDDLE_ONCE_DONE, kOnce);
  add(a, HEDDLE_ONCE_ENTER, kOnce, 0);
  add(a, HEDDLE_LOAD, kSum, 1);
  end(a), join(a);
  EXPECT_EQ(check().verdict, Verdict::kFixed);
}

TEST_F(ReversibilityTest, WhatDependsOnTimingIsRefused) {
  const uint32_t a = create(), b = create();
  add(a, HEDDLE_MUTEX_TRYLOCK, kLock);
  add(a, HEDDLE_MUTEX_UNLOCK, kLock);
  add(b, HEDDLE_MUTEX_LOCK, kLock);
  add(b, HEDDLE_MUTEX_UNLOCK, kLock);
  end(a), end(b), join(a), join(b);
  expect_refused("only tried");
}

TEST_F(ReversibilityTest, AThreadThatNobodyWaitsForIsRefused) {
  const uint32_t a = create();
  end(a);
  expect_refused("wait for T0.0");
}

TEST_F(ReversibilityTest, ABarrierThatMoreUseThanItWaitsForIsRefused) {
  const uint32_t threads[] = {create(), create(), create(), create()};
  for (size_t i = 0; i < 4; i += 2) {
    add(threads[i], HEDDLE_BARRIER_ARRIVE, kBarrier);
    add(threads[i + 1], HEDDLE_BARRIER_ARRIVE, kBarrier);
    add(threads[i], HEDDLE_BARRIER_LEAVE, kBarrier, 0, HEDDLE_FLAG_SERIAL);
    add(threads[i + 1], HEDDLE_BARRIER_LEAVE, kBarrier);
  }
  for (const uint32_t thread : threads) end(thread), join(thread);
  expect_refused("barrier that more threads use");
}

TEST_F(ReversibilityTest, ASpawnStampedLateIsAnError) {
  const uint32_t child = run.thread(0);
  run.add(child, HEDDLE_THREAD_START);
  run.add(0, HEDDLE_THREAD_CREATE, 0, child);
  end(child), join(child);
  add(0, HEDDLE_EXIT);
  const auto result = check_reversibility(run.trace());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("starts before it is created"), std::string::npos) << result.error().message;
}

TEST_F(ReversibilityTest, ATraceThatBreaksOffIsAnError) {
  run.trace().complete = false;
  EXPECT_FALSE(check_reversibility(run.trace()));
}

TEST_F(ReversibilityTest, WrongEvidenceIsFound) {
  const uint32_t a = create(), b = create();
  accumulate(a, 0, 5);
  accumulate(b, 5, 7);
  end(a), end(b), join(a), join(b);
  const Reversal right = *check().reversal;
  EXPECT_TRUE(check_reversal(run.trace(), right));
  Reversal wrong = right;
  std::swap(wrong.first, wrong.second);  // the order of the run
  EXPECT_FALSE(check_reversal(run.trace(), wrong));
  wrong = right;
  wrong.first = wrong.order[0];  // not dependent
  EXPECT_FALSE(check_reversal(run.trace(), wrong));
  // Both threads in the section at once.
  wrong = right;
  wrong.order.erase(std::find_if(wrong.order.begin(), wrong.order.end(),
                                 [&](uint32_t event) { return run.event(event).record.kind == HEDDLE_MUTEX_UNLOCK; }));
  EXPECT_FALSE(check_reversal(run.trace(), wrong));
}

}  // namespace
}  // namespace heddle::propagate
