// SPDX-License-Identifier: Apache-2.0
//
// Sanitised traces: names of objects and threads, and that they agree with
// src/naming, which finds them in another way.
#include <gtest/gtest.h>

#include "../naming/hand_made_trace.h"
#include "naming/canonical_text.h"
#include "propagate/sanitize/sanitized_text.h"
#include "random_trace.h"

namespace heddle::propagate {
namespace {

constexpr uint64_t kHeap = 0x50000, kOther = 0x60000, kStack = 0x7fff0000, kCell = 0x10000;
constexpr uint64_t kHandle = 0x7f0ccbc56700;

std::string text_of(const trace::Trace& trace, SanitizedTextOptions options = {false, false}) {
  std::string text;
  sanitized_text(trace, [&](std::string_view piece) { text += piece; }, options);
  return text;
}

class SanitizerTest : public testing::Test {
 protected:
  explicit SanitizerTest(trace::Mode mode = trace::Mode::kControlled) : run(mode) { run.global("a.c:cell", kCell, 8); }
  naming::HandMadeTrace run;
};
class FreeSanitizerTest : public SanitizerTest {
 protected:
  FreeSanitizerTest() : SanitizerTest(trace::Mode::kFree) {}
};

TEST_F(SanitizerTest, TellsHeapObjectsOfTheSameSizeApart) {
  run.add(0, HEDDLE_ALLOC, kHeap, 16);
  run.add(0, HEDDLE_ALLOC, kOther, 16);
  run.add(0, HEDDLE_LOAD, kHeap + 8, 1);
  run.add(0, HEDDLE_LOAD, kOther + 8, 1);
  run.add(0, HEDDLE_STORE, kCell, kOther + 8);
  EXPECT_EQ(text_of(run.trace()),
            "T0 0 alloc heap T0#0 = 16 @?\n"
            "T0 1 alloc heap T0#1 = 16 @?\n"
            "T0 2 load heap T0#0+8 8 = 1 @?\n"
            "T0 3 load heap T0#1+8 8 = 1 @?\n"
            "T0 4 store global a.c:cell 8 = &heap T0#1+8 @?\n");
}

TEST_F(SanitizerTest, GivesMemoryThatIsUsedAgainNewNames) {
  for (int call = 0; call < 2; ++call) {
    run.add(0, HEDDLE_STACK_OBJECT, kStack, 8);
    run.add(0, HEDDLE_STORE, kStack, 1);
    run.add(0, HEDDLE_STACK_OBJECT_END, kStack, 8);
  }
  run.add(0, HEDDLE_ALLOC, kHeap, 8);
  run.add(0, HEDDLE_FREE, kHeap);
  run.add(0, HEDDLE_LOAD, kHeap);
  EXPECT_EQ(text_of(run.trace()),
            "T0 0 stack_object stack T0#0 = 8 @?\n"
            "T0 0 store stack T0#0 8 = 1 @?\n"
            "T0 1 stack_object_end stack T0#0 = 8 @?\n"
            "T0 1 stack_object stack T0#1 = 8 @?\n"
            "T0 1 store stack T0#1 8 = 1 @?\n"
            "T0 2 stack_object_end stack T0#1 = 8 @?\n"
            "T0 2 alloc heap T0#0 = 8 @?\n"
            "T0 3 free heap T0#0 @?\n"
            "T0 4 load heap T0#0 (freed) 8 = 0 @?\n");
}

TEST_F(SanitizerTest, NamesIdentitiesOfThreads) {
  const uint32_t child = run.thread(0);
  run.add(0, HEDDLE_STACK_OBJECT, kStack, 8);
  const uint32_t store = run.add(0, HEDDLE_STORE, kStack, kHandle);
  run.trace().events[store].record.flags = HEDDLE_FLAG_MODEL;
  run.add(0, HEDDLE_THREAD_CREATE, 0, child);
  run.add(child, HEDDLE_THREAD_START);
  run.add(child, HEDDLE_STORE, kCell, kHandle);
  run.add(child, HEDDLE_THREAD_END);
  run.add(0, HEDDLE_LOAD, kStack, kHandle);
  run.add(0, HEDDLE_THREAD_JOIN, 0, child);
  EXPECT_EQ(text_of(run.trace(), {true, true}),
            "object global a.c:cell := {address 0x10000, thread -, index 0, size 8, valid always}\n"
            "object stack T0#0 := {address 0x7fff0000, thread T0, index 0, size 8, valid [T0:<0, end]}\n"
            "thread 0 := T0\n"
            "thread 1 := T0.0\n"
            "T0 0 stack_object stack T0#0 = 8 @?\n"
            "T0 0 store stack T0#0 8 = T0.0 model @?\n"
            "T0 1 thread_create = T0.0 @?\n"
            "T0.0 0 thread_start = T0 @?\n"
            "T0.0 1 store global a.c:cell 8 = T0.0 @?\n"
            "T0.0 2 thread_end = 0 @?\n"
            "T0 2 load stack T0#0 8 = T0.0 @?\n"
            "T0 3 thread_join = T0.0 @?\n");
}

// What the child allocates took the place of what T0 had freed; the order of the
// trace has it the other way round, for nothing was numbered in between.
TEST_F(FreeSanitizerTest, AnAccessMeansWhatWasSurelyThere) {
  const uint32_t child = run.thread(0);
  run.add(0, HEDDLE_ALLOC, kHeap, 16);
  run.add(0, HEDDLE_THREAD_CREATE, 0, child, 1);
  run.add(0, HEDDLE_YIELD, 0, 0, 3);
  run.add(0, HEDDLE_STORE, kHeap, 1);
  run.add(0, HEDDLE_FREE, kHeap);
  run.add(child, HEDDLE_THREAD_START, 0, 0, 2);
  run.add(child, HEDDLE_ALLOC, kHeap, 16);
  run.add(child, HEDDLE_STORE, kHeap, 2);
  const std::string text = text_of(run.trace());
  EXPECT_NE(text.find("T0 3 store heap T0#0 8 = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("T0 4 free heap T0#0 @"), std::string::npos) << text;
  EXPECT_NE(text.find("T0.0 2 store heap T0.0#0 8 = 2"), std::string::npos) << text;
}

TEST_F(SanitizerTest, APointerMayPointToTheEnd) {
  run.add(0, HEDDLE_ALLOC, kHeap, 16);
  run.add(0, HEDDLE_STORE, kCell, kHeap + 16);
  EXPECT_NE(text_of(run.trace()).find("= &heap T0#0+16 @"), std::string::npos) << text_of(run.trace());
}

TEST_F(SanitizerTest, NamesMemoryThatNobodyAllocatedByWhoTouchesIt) {
  run.add(0, HEDDLE_STORE, kCell, 0x7ffe0010);
  run.add(0, HEDDLE_LOAD, 0x7ffe0000, 5);
  run.add(0, HEDDLE_LOAD, 0x7ffe0014, 6);
  EXPECT_EQ(text_of(run.trace()),
            "T0 0 store global a.c:cell 8 = &unknown T0#1 @?\n"
            "T0 1 load unknown T0#0 8 = 5 @?\n"
            "T0 2 load unknown T0#1+4 8 = 6 @?\n");
}

TEST(SanitizerAgainstNaming, GivesTheSameLines) {
  uint32_t runs = 0;
  for (uint32_t seed = 1; runs < 300; ++seed) {
    const RandomRun run(seed);
    if (run.steps().empty()) continue;
    ++runs;
    trace::Trace trace = trace_of(run, false);
    // Some values are pointers.
    uint64_t last = 0;
    for (trace::Event& event : trace.events) {
      if (event.record.kind == HEDDLE_ALLOC) last = event.record.address;
      if (event.record.kind == HEDDLE_STORE && event.record.size == 8) event.record.value = last + 4;
    }
    const naming::Names names(trace);
    std::string expected;
    for (const trace::Event& event : trace.events) {
      std::string line = naming::canonical_line(names, event, {true});
      // Sanitised pointers do not say whether their object still lives.
      const size_t pointer = line.find('&'), freed = line.find(" (freed)", pointer == std::string::npos ? 0 : pointer);
      if (pointer != std::string::npos && freed != std::string::npos) line.erase(freed, 8);
      expected += line + '\n';
    }
    ASSERT_EQ(text_of(trace, {false, true}), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::propagate
