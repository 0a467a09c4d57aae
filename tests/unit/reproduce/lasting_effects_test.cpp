// SPDX-License-Identifier: Apache-2.0
#include "reproduce/lasting_effects.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::reproduce {
namespace {

constexpr uint64_t kMutex = 0x10, kOther = 0x20, kCondition = 0x30, kSemaphore = 0x40, kBarrier = 0x50;

HeddleRecord operation(uint32_t thread, HeddleKind kind, uint64_t address = 0, uint64_t value = 0, uint8_t flags = 0) {
  HeddleRecord record = {};
  record.thread = thread;
  record.kind = static_cast<uint8_t>(kind);
  record.address = address;
  record.value = value;
  record.flags = flags;
  return record;
}

// "thread kind address value" of each, with spaces between them.
std::string text_of(const LastingEffects& effects) {
  std::string text;
  for (const HeddleRecord& record : effects.operations()) {
    const char* kind = record.kind == HEDDLE_THREAD_CREATE    ? "create"
                       : record.kind == HEDDLE_MUTEX_LOCK     ? "lock"
                       : record.kind == HEDDLE_RWLOCK_READ    ? "read"
                       : record.kind == HEDDLE_RWLOCK_WRITE   ? "write"
                       : record.kind == HEDDLE_RWLOCK_LINE_UP ? "line_up"
                       : record.kind == HEDDLE_ONCE_ENTER     ? "enter"
                       : record.kind == HEDDLE_ONCE_DONE      ? "done"
                       : record.kind == HEDDLE_AWAIT          ? "await"
                       : record.kind == HEDDLE_NOTIFY         ? "notify"
                       : record.kind == HEDDLE_COND_WAIT      ? "wait"
                       : record.kind == HEDDLE_COND_SIGNAL    ? "signal"
                       : record.kind == HEDDLE_SEM_INIT       ? "semaphore"
                       : record.kind == HEDDLE_BARRIER_INIT   ? "barrier"
                       : record.kind == HEDDLE_BARRIER_ARRIVE ? "arrive"
                       : record.kind == HEDDLE_BARRIER_LEAVE  ? "leave"
                                                              : "?";
    text += std::to_string(record.thread) + kind +
            (record.kind == HEDDLE_SEM_INIT ? std::to_string(record.value) : "") + " ";
  }
  return text;
}

std::string left_of(const std::vector<HeddleRecord>& records) {
  LastingEffects effects;
  for (const HeddleRecord& record : records) effects.perform(record);
  return text_of(effects);
}

TEST(LastingEffects, OfLocksThoseThatAreHeld) {
  EXPECT_EQ(left_of({operation(0, HEDDLE_MUTEX_LOCK, kMutex), operation(0, HEDDLE_MUTEX_LOCK, kOther),
                     operation(0, HEDDLE_MUTEX_UNLOCK, kMutex)}),
            "0lock ");
  EXPECT_EQ(left_of({operation(0, HEDDLE_MUTEX_LOCK, kMutex), operation(0, HEDDLE_MUTEX_LOCK, kMutex),
                     operation(0, HEDDLE_MUTEX_UNLOCK, kMutex)}),
            "0lock ");
  EXPECT_EQ(left_of({operation(0, HEDDLE_MUTEX_TRYLOCK, kMutex, 0, HEDDLE_FLAG_FAILED)}), "");
  EXPECT_EQ(left_of({operation(0, HEDDLE_RWLOCK_TRYREAD, kMutex)}), "0read ");
}

TEST(LastingEffects, OfTimedLocksThoseThatWereTaken) {
  EXPECT_EQ(left_of({operation(0, HEDDLE_RWLOCK_TIMEDWRITE, kMutex)}), "0write ");
  EXPECT_EQ(left_of({operation(0, HEDDLE_RWLOCK_TIMEDREAD, kMutex, 0, HEDDLE_FLAG_TIMEOUT)}), "");
  const HeddleRecord line_up = operation(0, HEDDLE_RWLOCK_LINE_UP, kMutex);
  EXPECT_EQ(left_of({line_up}), "0line_up ");
  EXPECT_EQ(left_of({line_up, operation(0, HEDDLE_RWLOCK_TIMEDWRITE, kMutex, 0, HEDDLE_FLAG_TIMEOUT)}), "");
}

// A wait gives a recursive mutex back once, and a stranger gives back what another thread holds.
TEST(LastingEffects, OfLocksThatAreGivenBackInSeldomWays) {
  const HeddleRecord lock = operation(1, HEDDLE_MUTEX_LOCK, kMutex);
  EXPECT_EQ(left_of({lock, lock, operation(1, HEDDLE_COND_WAIT, kCondition, kMutex)}), "1wait 1lock ");
  EXPECT_EQ(left_of({lock, operation(0, HEDDLE_MUTEX_UNLOCK, kMutex, 0, HEDDLE_FLAG_MISUSE)}), "");
  EXPECT_EQ(left_of({operation(1, HEDDLE_COND_RESUME, kCondition, kMutex, HEDDLE_FLAG_TIMEOUT)}), "1lock ");
}

TEST(LastingEffects, OfInitialisationsThatTheyAreDone) {
  const HeddleRecord enter = operation(1, HEDDLE_ONCE_ENTER, kMutex, 1);
  EXPECT_EQ(left_of({enter}), "1enter ");
  EXPECT_EQ(left_of({enter, operation(1, HEDDLE_ONCE_DONE, kMutex), operation(2, HEDDLE_ONCE_ENTER, kMutex)}),
            "0enter 0done ");
  EXPECT_EQ(left_of({enter, operation(1, HEDDLE_ONCE_DONE, kMutex, 0, HEDDLE_FLAG_FAILED)}), "");
}

TEST(LastingEffects, OfWaitsForWordsThoseThatHaveNotEnded) {
  const HeddleRecord await = operation(1, HEDDLE_AWAIT, kCondition), other = operation(2, HEDDLE_AWAIT, kCondition);
  EXPECT_EQ(left_of({await, operation(2, HEDDLE_AWAIT, kCondition, 0, HEDDLE_FLAG_FAILED)}), "1await ");
  EXPECT_EQ(left_of({await, operation(1, HEDDLE_AWAIT_RESUME, kCondition)}), "");
  LastingEffects effects;
  for (const HeddleRecord& record : {await, other, operation(0, HEDDLE_NOTIFY, kCondition, 1)}) effects.perform(record);
  effects.wake(2);
  EXPECT_EQ(text_of(effects), "2await 0notify 1await ");
}

TEST(LastingEffects, OfThreadsThoseThatGoOnAndWhoMadeThem) {
  EXPECT_EQ(left_of({operation(0, HEDDLE_THREAD_CREATE, 0, 1), operation(0, HEDDLE_THREAD_CREATE, 0, 2),
                     operation(1, HEDDLE_THREAD_END)}),
            "0create ");
  EXPECT_EQ(left_of({operation(0, HEDDLE_THREAD_CREATE, 0, 1), operation(1, HEDDLE_THREAD_CREATE, 0, 2),
                     operation(1, HEDDLE_THREAD_END)}),
            "0create 1create ");
}

TEST(LastingEffects, OfWaitsThoseThatHaveNotEnded) {
  const HeddleRecord lock = operation(1, HEDDLE_MUTEX_LOCK, kMutex),
                     wait = operation(1, HEDDLE_COND_WAIT, kCondition, kMutex);
  EXPECT_EQ(left_of({lock, wait}), "1wait ");
  EXPECT_EQ(left_of({lock, wait, operation(0, HEDDLE_COND_SIGNAL, kCondition, 2)}), "1wait 0signal ");
  EXPECT_EQ(left_of({lock, wait, operation(0, HEDDLE_COND_SIGNAL, kCondition, 2),
                     operation(1, HEDDLE_COND_RESUME, kCondition, kMutex)}),
            "1lock ");
  EXPECT_EQ(left_of({lock, wait, operation(1, HEDDLE_COND_LEAVE, kCondition, 0, HEDDLE_FLAG_TIMEOUT)}), "");
  // Who was woken comes first, so that nobody else can take the signal.
  EXPECT_EQ(left_of({wait, operation(2, HEDDLE_COND_WAIT, kCondition, kMutex),
                     operation(0, HEDDLE_COND_SIGNAL, kCondition, 3)}),
            "2wait 0signal 1wait ");
  EXPECT_EQ(left_of({wait, operation(0, HEDDLE_COND_BROADCAST, kCondition, 1)}), "1wait 0signal ");
}

TEST(LastingEffects, OfSemaphoresTheirTokens) {
  EXPECT_EQ(left_of({operation(3, HEDDLE_SEM_INIT, kSemaphore, 2), operation(1, HEDDLE_SEM_WAIT, kSemaphore),
                     operation(1, HEDDLE_SEM_POST, kSemaphore), operation(2, HEDDLE_SEM_POST, kSemaphore)}),
            "0semaphore3 ");
}

TEST(LastingEffects, OfBarriersTheRoundUnderWay) {
  const HeddleRecord made = operation(0, HEDDLE_BARRIER_INIT, kBarrier, 2);
  const HeddleRecord first = operation(1, HEDDLE_BARRIER_ARRIVE, kBarrier),
                     second = operation(2, HEDDLE_BARRIER_ARRIVE, kBarrier);
  const HeddleRecord first_leaves = operation(1, HEDDLE_BARRIER_LEAVE, kBarrier),
                     second_leaves = operation(2, HEDDLE_BARRIER_LEAVE, kBarrier);
  EXPECT_EQ(left_of({made, first, second, first_leaves, second_leaves}), "0barrier ");
  EXPECT_EQ(left_of({made, first, second, first_leaves}), "0barrier 1arrive 2arrive 1leave ");
  EXPECT_EQ(left_of({made, first, second, first_leaves, second_leaves, second}), "0barrier 2arrive ");
}

}  // namespace
}  // namespace heddle::reproduce
