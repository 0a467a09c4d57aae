// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hand_made_trace.h"
#include "naming/names.h"

namespace heddle::naming {
namespace {

constexpr uint64_t kA = 0x10000;
constexpr uint64_t kB = 0x20000;

class ObjectsTest : public testing::Test {
 protected:
  std::string at(uint32_t event, uint64_t address) { return Names(run.trace()).object_at(run.event(event), address); }
  // The name of the address that the event itself has.
  std::string own(uint32_t event) { return at(event, run.event(event).record.address); }

  HandMadeTrace run;
};

TEST_F(ObjectsTest, HeapObjectsAreNumberedByThread) {
  const uint32_t child = run.thread(0);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(child, HEDDLE_ALLOC, kB, 16);
  run.add(0, HEDDLE_ALLOC, kA + 32, 16);
  EXPECT_EQ(own(run.add(0, HEDDLE_LOAD, kA + 8)), "heap T0#0+8");
  EXPECT_EQ(own(run.add(0, HEDDLE_LOAD, kB)), "heap T0.0#0");
  EXPECT_EQ(own(run.add(child, HEDDLE_LOAD, kA + 32 + 15)), "heap T0#1+15");
  EXPECT_EQ(own(0), "heap T0#0");
}

TEST_F(ObjectsTest, AFailedAllocationCounts) {
  run.add(0, HEDDLE_ALLOC, 0, 16);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  EXPECT_EQ(own(0), "null");
  EXPECT_EQ(own(1), "heap T0#1");
}

TEST_F(ObjectsTest, AnAddressUsedAgainIsAnotherObject) {
  run.add(0, HEDDLE_ALLOC, kA, 16);
  const uint32_t before = run.add(0, HEDDLE_LOAD, kA);
  const uint32_t free = run.add(0, HEDDLE_FREE, kA);
  const uint32_t between = run.add(0, HEDDLE_LOAD, kA);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  const uint32_t after = run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(before), "heap T0#0");
  EXPECT_EQ(own(free), "heap T0#0");
  EXPECT_EQ(own(between), "heap T0#0 (freed)");
  EXPECT_EQ(own(after), "heap T0#1");
}

TEST_F(ObjectsTest, ANewObjectEndsWhatItOverlaps) {
  run.add(0, HEDDLE_ALLOC, kA, 100);
  run.add(0, HEDDLE_ALLOC, kA + 50, 10);
  const uint32_t later = run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(later), "heap T0#0 (freed)");
  EXPECT_EQ(at(later, kA + 50), "heap T0#1");
}

TEST_F(ObjectsTest, NeighboursDoNotOverlap) {
  run.add(0, HEDDLE_ALLOC, kA + 16, 16);
  run.add(0, HEDDLE_ALLOC, kA, 16);
  run.add(0, HEDDLE_ALLOC, kA + 32, 16);
  const uint32_t later = run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(at(later, kA + 15), "heap T0#1+15");
  EXPECT_EQ(at(later, kA + 16), "heap T0#0");
  EXPECT_EQ(at(later, kA + 32), "heap T0#2");
}

TEST_F(ObjectsTest, AnEmptyAllocationHasAName) {
  run.add(0, HEDDLE_ALLOC, kA, 0);
  EXPECT_EQ(own(run.add(0, HEDDLE_FREE, kA)), "heap T0#0");
}

TEST_F(ObjectsTest, StackObjectsLiveAsLongAsTheirScope) {
  run.add(0, HEDDLE_STACK_OBJECT, kA, 8);
  const uint32_t inside = run.add(0, HEDDLE_STORE, kA);
  run.add(0, HEDDLE_STACK_OBJECT_END, kA, 8);
  const uint32_t after = run.add(0, HEDDLE_STORE, kA + 4);
  run.add(0, HEDDLE_STACK_OBJECT, kA - 8, 16);
  const uint32_t next = run.add(0, HEDDLE_STORE, kA);
  EXPECT_EQ(own(inside), "stack T0#0");
  EXPECT_EQ(own(after), "stack T0#0+4 (ended)");
  EXPECT_EQ(own(next), "stack T0#1+8");
}

TEST_F(ObjectsTest, AThreadTakesItsStackWithItAndALaterOneReusesIt) {
  const uint32_t first = run.thread(0);
  const uint32_t second = run.thread(0);
  run.add(first, HEDDLE_STACK_OBJECT, kA, 8);
  run.add(first, HEDDLE_THREAD_END);
  const uint32_t between = run.add(0, HEDDLE_LOAD, kA);
  run.add(second, HEDDLE_STACK_OBJECT, kA, 8);
  const uint32_t after = run.add(second, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(between), "stack T0.0#0 (ended)");
  EXPECT_EQ(own(after), "stack T0.1#0");
}

TEST_F(ObjectsTest, AStackMayLieInAHeapBlock) {
  run.add(0, HEDDLE_ALLOC, kA, 4096);
  run.add(0, HEDDLE_STACK_OBJECT, kA + 64, 8);
  const uint32_t inside = run.add(0, HEDDLE_STORE, kA + 64);
  run.add(0, HEDDLE_STACK_OBJECT_END, kA + 64, 8);
  const uint32_t after = run.add(0, HEDDLE_STORE, kA + 64);
  EXPECT_EQ(own(inside), "stack T0#0");
  EXPECT_EQ(own(after), "heap T0#0+64");
}

TEST_F(ObjectsTest, GlobalsAreAlwaysThere) {
  run.global("a.c:counter", kA, 4);
  run.global("a.c:alias", kA, 4);
  run.global("a.c:counter", kA + 4, 4);
  const uint32_t event = run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(event), "global a.c:counter");
  EXPECT_EQ(at(event, kA + 6), "global a.c:counter~2+2");
}

TEST_F(ObjectsTest, UnknownMemoryDoesNotDependOnTheSchedule) {
  const uint32_t child = run.thread(0);
  run.add(child, HEDDLE_LOAD, kB);
  run.add(child, HEDDLE_LOAD, kB + 4);
  run.add(child, HEDDLE_LOAD, kA);
  run.add(0, HEDDLE_LOAD, kA + 8);
  run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(0), "unknown T0.0#0");
  EXPECT_EQ(own(1), "unknown T0.0#0+4");
  EXPECT_EQ(own(2), "unknown T0#1");  // although T0.0 came first
  EXPECT_EQ(own(3), "unknown T0#0");
}

TEST_F(ObjectsTest, OtherRecordsDoNotChangeTheNumbersOfUnknownMemory) {
  run.add(0, HEDDLE_FUNCTION_ENTER, 0, kB);
  run.add(0, HEDDLE_LOAD, kA);
  EXPECT_EQ(own(1), "unknown T0#0");
  EXPECT_EQ(at(0, kB), "unknown T0#1");
}

TEST_F(ObjectsTest, NullAndUntouchedAddresses) {
  const uint32_t event = run.add(0, HEDDLE_FAIL, 4);
  EXPECT_EQ(own(event), "null+4");
  EXPECT_EQ(at(event, 0), "null");
  EXPECT_EQ(at(event, 0xdead0), "0xdead0");
  EXPECT_EQ(at(event, UINT64_MAX), "0xffffffffffffffff");
}

TEST_F(ObjectsTest, ObjectsAtTheEndOfTheAddressSpace) {
  run.add(0, HEDDLE_ALLOC, UINT64_MAX - 7, 100);
  run.add(0, HEDDLE_ALLOC, UINT64_MAX, 1);
  EXPECT_EQ(own(0), "heap T0#0");
}

TEST_F(ObjectsTest, TheExampleOfThePaper) {
  // TraceSanitizer, figure 4; ends of scopes are records here.
  run.global("inc_dec.c:arr", 0x603d74, 8);
  const uint32_t inc = run.thread(0);
  const uint32_t dec = run.thread(0);
  const uint32_t argument = run.add(0, HEDDLE_LOAD, 0x7ffcfe3287e8);  // o0
  const uint32_t o4 = run.add(0, HEDDLE_STACK_OBJECT, 0x7ffcfe3282e8, 8);
  const uint32_t o5 = run.add(0, HEDDLE_STACK_OBJECT, 0x7ffcfe3282e0, 8);
  const uint32_t store_3 = run.add(0, HEDDLE_STORE, 0x603d74, 3);
  const uint32_t store_6 = run.add(0, HEDDLE_STORE, 0x603d78, 6);
  run.add(0, HEDDLE_THREAD_CREATE, 0, inc);
  run.add(0, HEDDLE_THREAD_CREATE, 0, dec);
  run.add(inc, HEDDLE_THREAD_START, 0, 0);
  const uint32_t o6 = run.add(inc, HEDDLE_STACK_OBJECT, 0x7f0ccbc55d58, 8);
  const uint32_t load_first = run.add(0, HEDDLE_LOAD, 0x7ffcfe3282e8, 0x7f0ccbc56700);
  const uint32_t o7 = run.add(inc, HEDDLE_STACK_OBJECT, 0x7f0ccbc55d50, 8);
  const uint32_t store_o7 = run.add(inc, HEDDLE_STORE, 0x7f0ccbc55d50, 0);
  run.add(inc, HEDDLE_LOAD, 0x603d74, 3);
  run.add(dec, HEDDLE_THREAD_START, 0, 0);
  const uint32_t o8 = run.add(dec, HEDDLE_STACK_OBJECT, 0x7f0ccb454d58, 8);
  run.add(inc, HEDDLE_STORE, 0x603d74, 4);
  const uint32_t inc_end = run.add(inc, HEDDLE_THREAD_END);
  const uint32_t o9 = run.add(dec, HEDDLE_STACK_OBJECT, 0x7f0ccb454d50, 8);
  const uint32_t store_o9 = run.add(dec, HEDDLE_STORE, 0x7f0ccb454d50, 0);
  const uint32_t load_6 = run.add(dec, HEDDLE_LOAD, 0x603d78, 6);
  run.add(0, HEDDLE_THREAD_JOIN, 0, inc);
  const uint32_t load_second = run.add(0, HEDDLE_LOAD, 0x7ffcfe3282e0, 0x7f0ccb455700);
  run.add(dec, HEDDLE_STORE, 0x603d78, 5);
  const uint32_t dec_end = run.add(dec, HEDDLE_THREAD_END);
  run.add(0, HEDDLE_THREAD_JOIN, 0, dec);

  const Names names(run.trace());
  EXPECT_EQ(names.thread_name(0), "T0");
  EXPECT_EQ(names.thread_name(inc), "T0.0");
  EXPECT_EQ(names.thread_name(dec), "T0.1");

  struct Expected {
    const char* name;
    uint64_t address;
    uint32_t born;
    uint32_t died;
  };
  const Expected expected[] = {
      {"global inc_dec.c:arr", 0x603d74, kNoEvent, kNoEvent}, {"stack T0#0", 0x7ffcfe3282e8, o4, kNoEvent},
      {"stack T0#1", 0x7ffcfe3282e0, o5, kNoEvent},           {"stack T0.0#0", 0x7f0ccbc55d58, o6, inc_end},
      {"stack T0.0#1", 0x7f0ccbc55d50, o7, inc_end},          {"stack T0.1#0", 0x7f0ccb454d58, o8, dec_end},
      {"stack T0.1#1", 0x7f0ccb454d50, o9, dec_end},          {"unknown T0#0", 0x7ffcfe3287e8, kNoEvent, kNoEvent},
  };
  const auto objects = names.objects().all();
  ASSERT_EQ(objects.size(), std::size(expected));
  for (size_t i = 0; i < objects.size(); ++i) {
    EXPECT_EQ(names.object_name(objects[i]), expected[i].name);
    EXPECT_EQ(objects[i].address, expected[i].address);
    EXPECT_EQ(objects[i].size, 8u);
    EXPECT_EQ(objects[i].born, expected[i].born);
    EXPECT_EQ(objects[i].died, expected[i].died);
  }

  EXPECT_EQ(own(argument), "unknown T0#0");
  EXPECT_EQ(own(store_3), "global inc_dec.c:arr");
  EXPECT_EQ(own(store_6), "global inc_dec.c:arr+4");
  EXPECT_EQ(own(load_first), "stack T0#0");
  EXPECT_EQ(own(store_o7), "stack T0.0#1");
  EXPECT_EQ(own(store_o9), "stack T0.1#1");
  EXPECT_EQ(own(load_6), "global inc_dec.c:arr+4");
  EXPECT_EQ(own(load_second), "stack T0#1");
}

}  // namespace
}  // namespace heddle::naming
