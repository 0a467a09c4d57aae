// SPDX-License-Identifier: Apache-2.0
//
// Comparison of traces: what is the same under other numbers is equal, and the
// first thing that differs is the first thing told.
#include "trace/diff.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace heddle::trace {
namespace {

std::string told(const Trace& a, const Trace& b, const DiffOptions& options = {}) {
  return difference_text(a, b, compare(a, b, options), options);
}

TEST(Diff, EqualTraces) {
  EXPECT_TRUE(compare(counter_trace(), counter_trace()).equal());
  EXPECT_EQ(told(counter_trace(), counter_trace()), "");
}

// Two children whose numbers are exchanged, with the sites in another order.
Trace two_children(bool exchanged) {
  TraceBuilder build;
  build.trace().threads.push_back({0, exchanged ? 1u : 0u});
  build.trace().threads.push_back({0, exchanged ? 0u : 1u});
  const uint32_t a = exchanged ? 2 : 1, b = exchanged ? 1 : 2;
  const uint32_t first = build.site("a.c", exchanged ? 2 : 1);
  const uint32_t second = build.site("a.c", exchanged ? 1 : 2);
  build.add(0, HEDDLE_THREAD_CREATE, 0, a).site = exchanged ? second : first;
  build.add(a, HEDDLE_THREAD_START);
  build.add(0, HEDDLE_THREAD_CREATE, 0, b).site = exchanged ? first : second;
  build.add(b, HEDDLE_THREAD_START);
  build.add(b, HEDDLE_COND_SIGNAL, 0x10, a + 1);
  return build.trace();
}

TEST(Diff, ThreadAndSiteNumbersDoNotCount) { EXPECT_EQ(told(two_children(false), two_children(true)), ""); }

TEST(Diff, AddressesCountUnlessTheyHaveNames) {
  Trace moved = counter_trace();
  for (Event& event : moved.events) {
    if (event.record.address != 0) event.record.address += 0x1000;
  }
  EXPECT_NE(told(counter_trace(), moved), "");
  DiffOptions options;
  options.first_namer = [](const Event&, uint64_t address) { return std::to_string(address); };
  options.second_namer = [](const Event&, uint64_t address) { return std::to_string(address - 0x1000); };
  EXPECT_EQ(told(counter_trace(), moved, options), "");
}

TEST(Diff, FirstDifferenceOfEachThreadEarliestFirst) {
  Trace other = counter_trace();
  other.events[8].record.value = 9;   // T0.0, its store
  other.events[4].record.value = 5;   // T0, its store
  other.events[11].record.value = 0;  // T0, later
  const Difference difference = compare(counter_trace(), other);
  ASSERT_EQ(difference.threads.size(), 2u);
  EXPECT_EQ(difference.threads[0].thread, "T0");
  EXPECT_EQ(difference.threads[0].position, 3u);
  EXPECT_EQ(difference.threads[0].field, "value");
  EXPECT_EQ(difference.threads[1].thread, "T0.0");
  EXPECT_EQ(told(counter_trace(), other),
            "T0, event 3: differs in value\n"
            "  - T0 3 store 0x4041a0 4 = 1 @3 seq=4\n"
            "  + T0 3 store 0x4041a0 4 = 5 @3 seq=4\n"
            "T0.0, event 3: differs in value\n"
            "  - T0.0 3 store 0x4041a0 4 = 2 @3 seq=8\n"
            "  + T0.0 3 store 0x4041a0 4 = 9 @3 seq=8\n");
}

TEST(Diff, OtherOrderCountsUnlessIgnored) {
  Trace other = counter_trace();
  std::swap(other.events[1], other.events[2]);
  std::swap(other.events[1].sequence, other.events[2].sequence);
  DiffOptions options;
  EXPECT_EQ(compare(counter_trace(), other).threads.at(0).field, "sequence");
  options.ignore_sequence = true;
  EXPECT_TRUE(compare(counter_trace(), other, options).equal());
}

TEST(Diff, ShorterThreadAndMissingThread) {
  Trace other = counter_trace();
  other.events.pop_back();
  Difference difference = compare(counter_trace(), other);
  ASSERT_EQ(difference.threads.size(), 1u);
  EXPECT_EQ(difference.threads[0].field, "end");
  EXPECT_FALSE(difference.threads[0].second.has_value());

  other = counter_trace();
  other.threads.push_back({0, 4});
  difference = compare(counter_trace(), other);
  ASSERT_EQ(difference.threads.size(), 1u);
  EXPECT_EQ(difference.threads[0].thread, "T0.4");
  EXPECT_EQ(difference.threads[0].field, "thread");
}

TEST(Diff, OtherRecordsCanBeLeftOut) {
  TraceBuilder build;
  build.trace() = counter_trace();
  HeddleRecord branch{};
  branch.kind = HEDDLE_BRANCH;
  build.trace().events.push_back({branch, 13});
  DiffOptions options;
  EXPECT_FALSE(compare(counter_trace(), build.trace(), options).equal());
  options.only_visible = true;
  EXPECT_TRUE(compare(counter_trace(), build.trace(), options).equal());
}

TEST(Diff, HeaderAndEndingCount) {
  Trace other = counter_trace();
  other.header.memory_model = "tso";
  other.header.seed = 99;  // how the schedule was found is not what happened
  other.ending.detail = 1;
  const Difference difference = compare(counter_trace(), other);
  ASSERT_EQ(difference.facts.size(), 2u);
  EXPECT_EQ(difference.facts[0], "memory model: sc in the first, tso in the second");
  EXPECT_NE(difference.facts[1].find("ending"), std::string::npos);
}

TEST(Diff, EveryTraceEqualsItself) {
  EXPECT_TRUE(rc::check([](bool free_running) {
    const Trace trace = *arbitrary_trace(free_running ? Mode::kFree : Mode::kControlled);
    RC_ASSERT(compare(trace, trace).equal());
  }));
}

// One changed field is always found.
TEST(Diff, AnyChangedValueIsFound) {
  EXPECT_TRUE(rc::check([] {
    const Trace trace = *arbitrary_trace(Mode::kControlled);
    RC_PRE(!trace.events.empty());
    Trace other = trace;
    const size_t place = *rc::gen::inRange<size_t>(0, trace.events.size());
    other.events[place].record.value ^= 1;
    const Difference difference = compare(trace, other);
    RC_ASSERT(difference.threads.size() == 1u);
    RC_ASSERT(difference.threads[0].field == "value");
    RC_ASSERT(difference.threads[0].thread == trace.thread_name(trace.events[place].record.thread));
  }));
}

}  // namespace
}  // namespace heddle::trace
