// SPDX-License-Identifier: Apache-2.0
#include "predict/atomic_blocks.h"

#include <gtest/gtest.h>

namespace heddle::predict {
namespace {

constexpr uint64_t kLock = 0x100, kOther = 0x200, kCondition = 0x300;

// One thread, event by event; sites of functions are "f1", "f2", ...
class Run {
 public:
  Run() {
    trace_.threads.push_back({});
    for (uint32_t site = 0; site < 10; ++site) trace_.sites.push_back({"p.c", site, 1, "f" + std::to_string(site), ""});
  }
  Run& enter(uint32_t site) { return add(HEDDLE_FUNCTION_ENTER, 0, site); }
  Run& leave(uint32_t site) { return add(HEDDLE_FUNCTION_EXIT, 0, site); }
  Run& access(uint32_t site) { return add(HEDDLE_LOAD, 0x1000, site); }
  Run& lock(uint64_t lock, uint32_t site) { return add(HEDDLE_MUTEX_LOCK, lock, site, 1); }
  Run& unlock(uint64_t lock) { return add(HEDDLE_MUTEX_UNLOCK, lock, 9, 0); }
  Run& add(HeddleKind kind, uint64_t address, uint32_t site, uint64_t value = 0) {
    trace::Event event{};
    event.record.kind = static_cast<uint8_t>(kind);
    event.record.address = address;
    event.record.site = site;
    event.record.value = value;
    event.record.index = trace::is_visible(event.record) ? next_++ : next_;
    trace_.events.push_back(event);
    return *this;
  }
  // Are operations `first` and `last` in one block?
  bool together(uint32_t first, uint32_t last, const std::vector<std::string>& functions = {}) const {
    return find_atomic_blocks(trace_, functions).around({0, first}, {0, last}) != nullptr;
  }

 private:
  trace::Trace trace_;
  uint32_t next_ = 0;
};

TEST(AtomicBlocks, SectionsOfOneLockInOneCallBelongTogether) {
  Run run;
  run.enter(1).lock(kLock, 2).access(3).unlock(kLock).access(3).lock(kLock, 4).access(5).unlock(kLock).leave(1);
  EXPECT_TRUE(run.together(1, 5));
  EXPECT_TRUE(run.together(1, 3)) << "what lies between them, too";
  run.enter(1).lock(kLock, 2).access(3).unlock(kLock).leave(1);
  EXPECT_FALSE(run.together(5, 8)) << "another call";
}

TEST(AtomicBlocks, OtherLocksAndOtherCallsDoNot) {
  Run locks;
  locks.enter(1).lock(kLock, 2).access(3).unlock(kLock).lock(kOther, 4).access(5).unlock(kOther).leave(1);
  EXPECT_TRUE(locks.together(0, 2));
  EXPECT_FALSE(locks.together(1, 4));
  Run calls;
  calls.enter(1).enter(2).lock(kLock, 2).access(3).unlock(kLock).leave(2);
  calls.enter(4).lock(kLock, 4).access(5).unlock(kLock).leave(4).leave(1);
  EXPECT_FALSE(calls.together(1, 4));
}

TEST(AtomicBlocks, AGuardBelongsToWhoDeclaresIt) {
  Run run;  // f1 calls f6 to lock and f7 to unlock, twice
  run.enter(1);
  run.enter(6).lock(kLock, 6).leave(6).access(2).enter(7).unlock(kLock).leave(7);
  run.enter(6).lock(kLock, 6).leave(6).access(3).enter(7).unlock(kLock).leave(7);
  run.leave(1);
  EXPECT_TRUE(run.together(1, 4));
}

TEST(AtomicBlocks, ALoopBeginsANewBlock) {
  Run run;
  run.enter(1);
  for (int round = 0; round < 2; ++round)
    run.lock(kLock, 2).access(3).unlock(kLock).lock(kLock, 4).access(5).unlock(kLock);
  run.leave(1);
  EXPECT_TRUE(run.together(1, 4));
  EXPECT_TRUE(run.together(7, 10));
  EXPECT_FALSE(run.together(4, 7));
}

TEST(AtomicBlocks, AWaitEndsTheBlock) {
  Run run;
  run.enter(1)
      .lock(kLock, 2)
      .access(3)
      .add(HEDDLE_COND_WAIT, kCondition, 4, kLock)
      .add(HEDDLE_COND_RESUME, kCondition, 4, kLock);
  run.access(5).unlock(kLock).leave(1);
  EXPECT_FALSE(run.together(1, 4));
  EXPECT_TRUE(run.together(3, 5));
}

TEST(AtomicBlocks, CallsOfNamedFunctionsAreBlocks) {
  Run run;
  run.enter(1).access(2).enter(3).access(3).access(3).leave(3).access(2).leave(1);
  EXPECT_FALSE(run.together(1, 2));
  EXPECT_TRUE(run.together(1, 2, {"f3"}));
  EXPECT_FALSE(run.together(0, 1, {"f3"}));
  EXPECT_TRUE(run.together(0, 3, {"g", "?1"}));
}

TEST(AtomicBlocks, WithoutRecordsOfFunctionsThereAreSectionsOnly) {
  Run run;
  run.lock(kLock, 2).access(3).unlock(kLock).lock(kLock, 4).access(5).unlock(kLock);
  EXPECT_TRUE(run.together(0, 2));
  EXPECT_FALSE(run.together(1, 4));
}

}  // namespace
}  // namespace heddle::predict
