// SPDX-License-Identifier: Apache-2.0
#include "naming/canonical_text.h"

#include <gtest/gtest.h>

#include "hand_made_trace.h"

namespace heddle::naming {
namespace {

// The same program at other addresses.
trace::Trace make_run(uint64_t heap, uint64_t stack, uint64_t global) {
  HandMadeTrace run;
  run.global("a.c:head = 5", global, 8);
  run.add(0, HEDDLE_ALLOC, heap, 32);
  run.add(0, HEDDLE_STACK_OBJECT, stack, 8);
  run.add(0, HEDDLE_STORE, global, heap + 16);
  run.add(0, HEDDLE_LOAD, stack, 5);
  const uint32_t exchange = run.add(0, HEDDLE_RMW, global, heap + 16);
  run.trace().events[exchange].record.value2 = stack;
  run.add(0, HEDDLE_THREAD_END, 0, heap);
  return std::move(run.trace());
}

TEST(CanonicalText, HasNamesForAddresses) {
  const std::string text = canonical_text(make_run(0x10000, 0x20000, 0x30000));
  EXPECT_NE(text.find("\nT0 0 alloc heap T0#0 = 32 @?\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nT0 1 stack_object stack T0#0 = 8 @?\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nT0 1 store global a.c:head = 5 8 = 65552 @?\n"), std::string::npos) << text;
}

TEST(CanonicalText, MayNamePointersToo) {
  const std::string text = canonical_text(make_run(0x10000, 0x20000, 0x30000), {.abstract_values = true});
  EXPECT_NE(text.find("\nT0 1 store global a.c:head = 5 8 = &heap T0#0+16 @?\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nT0 2 load stack T0#0 8 = 5 @?\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nT0 3 rmw global a.c:head = 5 8 = &heap T0#0+16 -> &stack T0#0 @?\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nT0 4 thread_end = &heap T0#0 @?\nend exit 0\n"), std::string::npos) << text;
}

TEST(CanonicalText, IsTheSameAtOtherAddresses) {
  const trace::Trace first = make_run(0x10000, 0x20000, 0x30000);
  const trace::Trace second = make_run(0x7f0000000000, 0x7ffe00000000, 0x555500000000);
  EXPECT_NE(canonical_text(first), canonical_text(second));
  EXPECT_EQ(canonical_text(first, {.abstract_values = true}), canonical_text(second, {.abstract_values = true}));
}

TEST(CanonicalText, OfABrokenOffOrEmptyTrace) {
  trace::Trace trace = make_run(0x10000, 0x20000, 0x30000);
  trace.complete = false;
  const std::string text = canonical_text(trace, {.abstract_values = true});
  EXPECT_TRUE(text.ends_with("thread_end = &heap T0#0 @?\n")) << text;
  trace.events.clear();
  EXPECT_TRUE(canonical_text(trace, {.abstract_values = true}).ends_with("thread T0\n"));
}

TEST(Names, OfEvents) {
  HandMadeTrace run;
  const uint32_t child = run.thread(0);
  const uint32_t record = run.add(child, HEDDLE_BRANCH);
  const uint32_t event = run.add(child, HEDDLE_YIELD);
  const Names names(run.trace());
  EXPECT_EQ(names.event_name(run.event(event)), "T0.0:0");
  EXPECT_EQ(names.event_name(run.event(record)), "T0.0:<0");
  EXPECT_EQ(names.thread_name(99), "T?");
}

TEST(Names, UnderstandsCopiesOfEvents) {
  HandMadeTrace run;
  run.add(0, HEDDLE_ALLOC, 0x10000, 8);
  const trace::Event before = run.event(run.add(0, HEDDLE_LOAD, 0x10000));
  run.add(0, HEDDLE_FREE, 0x10000);
  run.add(0, HEDDLE_LOAD, 0x10000);
  const trace::Event after = run.event(3);
  const Names names(run.trace());
  EXPECT_EQ(names.object_at(before, 0x10000), "heap T0#0");
  EXPECT_EQ(names.object_at(after, 0x10000), "heap T0#0 (freed)");
}

}  // namespace
}  // namespace heddle::naming
