// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation in explanations: by exploration, and by the order solver.
#include <gtest/gtest.h>

#include <random>

#include "hand_made_run.h"
#include "reproduce/explanation.h"

namespace heddle::reproduce {
namespace {

using Kind = Explanation::Kind;

constexpr uint64_t kX = 0x1000, kLock = 0x4000, kOnce = 0x5000, kWord = 0x6000, kCondition = 0x7000, kMutex = 0x8000;

Kind explain_by(const FailingRun& run, bool explores) {
  ExplanationOptions options;
  options.trials = 0;
  options.explores = explores;
  return explain(run, options).kind;
}

void expect_both(const FailingRun& run, Kind expected) {
  EXPECT_EQ(explain_by(run, true), expected) << "exploration";
  EXPECT_EQ(explain_by(run, false), expected) << "order solver";
}

// Also if it is refused at once.
void expect_none(const FailingRun& run) {
  EXPECT_NE(explain_by(run, true), Kind::kFound);
  EXPECT_NE(explain_by(run, false), Kind::kFound);
}

// Reads x, which must be `value`.
void find(HandMadeRun& made, uint32_t thread, uint64_t value) {
  made.require(thread, made.run.terms.eq(made.read(thread, kX), made.number(value)));
}

TEST(Synchronisation, TimedLocksExcludeAsOthersDo) {
  for (const auto [kind, release] : {std::pair{HEDDLE_MUTEX_TIMEDLOCK, HEDDLE_MUTEX_UNLOCK},
                                     std::pair{HEDDLE_RWLOCK_TIMEDWRITE, HEDDLE_RWLOCK_UNLOCK},
                                     std::pair{HEDDLE_RWLOCK_TIMEDREAD, HEDDLE_RWLOCK_UNLOCK}}) {
    HandMadeRun made(3);
    made.synchronise(1, kind == HEDDLE_RWLOCK_TIMEDREAD ? HEDDLE_RWLOCK_TIMEDWRITE : kind, kLock);
    made.write(1, kX, made.number(1));
    made.write(1, kX, made.number(2));
    made.synchronise(1, release, kLock);
    made.synchronise(2, kind, kLock);
    find(made, 2, 1);  // in the middle of the section
    made.synchronise(2, release, kLock);
    expect_both(made.run, Kind::kImpossible);
  }
}

TEST(Synchronisation, ALockRunsOutOnlyWhileItIsHeld) {
  for (const auto [kind, flag] :
       {std::pair{HEDDLE_MUTEX_TIMEDLOCK, HEDDLE_FLAG_TIMEOUT}, std::pair{HEDDLE_MUTEX_TRYLOCK, HEDDLE_FLAG_FAILED},
        std::pair{HEDDLE_RWLOCK_TIMEDREAD, HEDDLE_FLAG_TIMEOUT}, std::pair{HEDDLE_RWLOCK_TRYREAD, HEDDLE_FLAG_FAILED},
        std::pair{HEDDLE_RWLOCK_TRYWRITE, HEDDLE_FLAG_FAILED}}) {
    const bool is_mutex = kind == HEDDLE_MUTEX_TIMEDLOCK || kind == HEDDLE_MUTEX_TRYLOCK;
    for (const uint64_t value : {0u, 1u, 2u}) {
      HandMadeRun made(3);
      made.synchronise(1, is_mutex ? HEDDLE_MUTEX_LOCK : HEDDLE_RWLOCK_WRITE, kLock);
      made.write(1, kX, made.number(1));
      made.synchronise(1, is_mutex ? HEDDLE_MUTEX_UNLOCK : HEDDLE_RWLOCK_UNLOCK, kLock);
      made.write(1, kX, made.number(2));
      find(made, 2, value);
      made.synchronise(2, kind, kLock, 0, static_cast<uint8_t>(flag));
      expect_both(made.run, value == 2 ? Kind::kImpossible : Kind::kFound);
    }
  }
}

TEST(Synchronisation, ReadersDoNotMakeReadersFail) {
  HandMadeRun made(3);
  made.synchronise(1, HEDDLE_RWLOCK_READ, kLock);
  made.synchronise(1, HEDDLE_RWLOCK_UNLOCK, kLock);
  made.synchronise(2, HEDDLE_RWLOCK_TRYREAD, kLock, 0, HEDDLE_FLAG_FAILED);
  expect_none(made.run);
}

// A lock that prefers writers: who reads again behind a writer that is lined up does not get in.
TEST(Synchronisation, WritersThatLineUpKeepReadersAway) {
  for (const uint64_t type : {0u, 2u}) {
    HandMadeRun made(3);
    made.synchronise(1, HEDDLE_RWLOCK_READ, kLock).type = type;
    find(made, 1, 1);
    made.synchronise(1, HEDDLE_RWLOCK_READ, kLock).type = type;
    made.synchronise(1, HEDDLE_RWLOCK_UNLOCK, kLock).type = type;
    made.synchronise(1, HEDDLE_RWLOCK_UNLOCK, kLock).type = type;
    find(made, 2, 0);
    made.synchronise(2, HEDDLE_RWLOCK_LINE_UP, kLock).type = type;
    made.write(2, kX, made.number(1));
    made.synchronise(2, HEDDLE_RWLOCK_WRITE, kLock).type = type;
    EXPECT_EQ(explain_by(made.run, true), type == 2 ? Kind::kImpossible : Kind::kFound);
  }
}

TEST(Synchronisation, WhoFindsAnInitialisationDoneSeesIt) {
  for (const uint64_t value : {0u, 1u}) {
    HandMadeRun made(3);
    made.synchronise(1, HEDDLE_ONCE_ENTER, kOnce).runs_once = true;
    made.write(1, kX, made.number(1));
    made.synchronise(1, HEDDLE_ONCE_DONE, kOnce);
    made.synchronise(2, HEDDLE_ONCE_ENTER, kOnce);
    find(made, 2, value);
    expect_both(made.run, value ? Kind::kFound : Kind::kImpossible);
  }
  HandMadeRun nobody(2);
  nobody.synchronise(1, HEDDLE_ONCE_ENTER, kOnce);
  expect_none(nobody.run);
}

// Left by an exception it is begun again, by whoever comes next.
TEST(Synchronisation, AnInitialisationThatFailedIsBegunAgain) {
  for (const uint64_t value : {0u, 1u}) {
    HandMadeRun made(3);
    made.synchronise(1, HEDDLE_ONCE_ENTER, kOnce).runs_once = true;
    made.write(1, kX, made.number(1));
    made.synchronise(1, HEDDLE_ONCE_DONE, kOnce, 0, HEDDLE_FLAG_FAILED);
    made.synchronise(2, HEDDLE_ONCE_ENTER, kOnce).runs_once = true;
    find(made, 2, value);
    made.synchronise(2, HEDDLE_ONCE_DONE, kOnce);
    expect_both(made.run, value ? Kind::kFound : Kind::kImpossible);
  }
}

TEST(Synchronisation, AWaitForAWordNeedsTheWordAndANotification) {
  for (const bool is_notified : {false, true}) {
    HandMadeRun made(3);
    made.await(1, kWord, 0);
    made.synchronise(1, HEDDLE_AWAIT_RESUME, kWord);
    find(made, 1, 1);
    made.write(2, kX, made.number(1));
    made.write(2, kWord, made.number(1));
    if (is_notified) made.synchronise(2, HEDDLE_NOTIFY, kWord);
    is_notified ? expect_both(made.run, Kind::kFound) : expect_none(made.run);
  }
  // Who reads the new word does not wait.
  for (const uint8_t flags : {uint8_t{0}, uint8_t{HEDDLE_FLAG_FAILED}}) {
    HandMadeRun made(3);
    find(made, 1, 1);
    made.await(1, kWord, 0, flags);
    if (!flags) made.synchronise(1, HEDDLE_AWAIT_RESUME, kWord);
    made.write(2, kWord, made.number(1));
    made.write(2, kX, made.number(1));
    made.synchronise(2, HEDDLE_NOTIFY, kWord);
    expect_both(made.run, flags ? Kind::kFound : Kind::kImpossible);
  }
}

TEST(Synchronisation, ASemaphoreRunsOutWithoutTokens) {
  for (const uint64_t value : {0u, 1u, 2u}) {
    HandMadeRun made(3);
    made.synchronise(0, HEDDLE_SEM_INIT, kLock).amount = 1;
    made.write(0, kX, made.number(3));
    made.write(1, kX, made.number(1));
    made.synchronise(1, HEDDLE_SEM_TIMEDWAIT, kLock);
    made.write(1, kX, made.number(0));
    made.synchronise(1, HEDDLE_SEM_POST, kLock);
    made.write(1, kX, made.number(2));
    find(made, 2, value);
    made.synchronise(2, HEDDLE_SEM_TIMEDWAIT, kLock, 0, HEDDLE_FLAG_TIMEOUT);
    find(made, 2, 0);
    EXPECT_EQ(explain_by(made.run, true), value == 2 ? Kind::kImpossible : Kind::kFound) << value;
  }
}

// A wait that runs out takes its mutex all the same, and no broadcast came during it.
TEST(Synchronisation, WhoLeavesAConditionWasNotWoken) {
  for (const uint64_t value : {0u, 1u, 2u}) {
    HandMadeRun made(3);
    made.lock(1, kMutex);
    find(made, 1, 0);
    made.synchronise(1, HEDDLE_COND_WAIT, kCondition, kMutex);
    find(made, 1, value);  // before, while or after the other thread has the mutex
    made.synchronise(1, HEDDLE_COND_LEAVE, kCondition, 0, HEDDLE_FLAG_TIMEOUT);
    made.synchronise(1, HEDDLE_COND_RESUME, kCondition, kMutex, HEDDLE_FLAG_TIMEOUT);
    made.unlock(1, kMutex);
    made.lock(2, kMutex);
    made.write(2, kX, made.number(1));
    made.synchronise(2, HEDDLE_COND_BROADCAST, kCondition).amount = semantics::kAllWaiters;
    made.write(2, kX, made.number(2));
    made.unlock(2, kMutex);
    expect_both(made.run, value == 2 ? Kind::kImpossible : Kind::kFound);
  }
}

// glibc gives a recursive mutex back once: who holds it twice keeps it while it waits.
TEST(Synchronisation, AWaitGivesARecursiveMutexBackOnce) {
  for (const uint32_t depth : {1u, 2u}) {
    HandMadeRun made(3);
    for (uint32_t i = 0; i < depth; ++i) made.synchronise(1, HEDDLE_MUTEX_LOCK, kMutex).type = 1;
    made.synchronise(1, HEDDLE_COND_WAIT, kCondition, kMutex).type = 1;
    made.synchronise(1, HEDDLE_COND_RESUME, kCondition, kMutex).type = 1;
    for (uint32_t i = 0; i < depth; ++i) made.synchronise(1, HEDDLE_MUTEX_UNLOCK, kMutex).type = 1;
    made.synchronise(2, HEDDLE_MUTEX_LOCK, kMutex).type = 1;
    made.synchronise(2, HEDDLE_COND_SIGNAL, kCondition);
    made.synchronise(2, HEDDLE_MUTEX_UNLOCK, kMutex).type = 1;
    expect_both(made.run, depth == 1 ? Kind::kFound : Kind::kImpossible);
  }
}

TEST(Synchronisation, AStrangerMayGiveALockBack) {
  for (const bool has_stranger : {false, true}) {
    HandMadeRun made(4);
    made.lock(1, kMutex);
    made.write(1, kX, made.number(1));
    if (has_stranger) made.synchronise(2, HEDDLE_MUTEX_UNLOCK, kMutex, 0, HEDDLE_FLAG_MISUSE);
    made.lock(3, kMutex);
    find(made, 3, 1);
    EXPECT_EQ(explain_by(made.run, true), has_stranger ? Kind::kFound : Kind::kImpossible);
  }
}

// Small programs with all kinds of locks. Exploration, which performs every order, and the order solver agree.
HandMadeRun random_run(uint64_t seed) {
  std::mt19937_64 random(seed);
  HandMadeRun made(3);
  made.synchronise(0, HEDDLE_SEM_INIT, kWord).amount = 1;
  made.join(0, 1);
  made.join(0, 2);
  for (const uint32_t t : {1u, 2u}) {
    const auto use = [&] {
      if (random() % 2) made.write(t, kX, made.number(random() % 3));
      if (random() % 2) find(made, t, random() % 3);
    };
    for (uint32_t i = 0; i < 2; ++i) {
      const bool runs_out = random() % 4 == 0;
      const uint8_t flags = runs_out ? HEDDLE_FLAG_TIMEOUT : 0;
      switch (random() % 4) {
        case 0:
          made.synchronise(t, HEDDLE_MUTEX_TIMEDLOCK, kMutex, 0, flags);
          use();
          if (!runs_out) made.unlock(t, kMutex);
          break;
        case 1:
          made.synchronise(t, random() % 2 ? HEDDLE_RWLOCK_TIMEDREAD : HEDDLE_RWLOCK_TIMEDWRITE, kLock, 0, flags);
          use();
          if (!runs_out) made.synchronise(t, HEDDLE_RWLOCK_UNLOCK, kLock);
          break;
        case 2:
          made.synchronise(t, HEDDLE_SEM_WAIT, kWord);
          use();
          made.synchronise(t, HEDDLE_SEM_POST, kWord);
          break;
        default: {
          const bool runs = random() % 2;
          made.synchronise(t, HEDDLE_ONCE_ENTER, kOnce + 8 * i).runs_once = runs;
          use();
          if (runs) made.synchronise(t, HEDDLE_ONCE_DONE, kOnce + 8 * i);
        }
      }
    }
  }
  return made;
}

TEST(Synchronisation, ExplorationAndSolverAgree) {
  uint32_t found = 0, impossible = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const HandMadeRun made = random_run(seed);
    const Kind explored = explain_by(made.run, true), solved = explain_by(made.run, false);
    // A one-time initialisation that nobody ran is refused at once.
    if (explored == Kind::kGaveUp || solved == Kind::kGaveUp) {
      EXPECT_NE(explored, Kind::kFound) << seed;
      continue;
    }
    ASSERT_EQ(explored, solved) << seed;
    ++(explored == Kind::kFound ? found : impossible);
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(impossible, 100u);
}

}  // namespace
}  // namespace heddle::reproduce
