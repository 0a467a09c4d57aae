// SPDX-License-Identifier: Apache-2.0
#include "naming/alignment.h"

#include <gtest/gtest.h>

#include "hand_made_trace.h"

namespace heddle::naming {
namespace {

// Two children store pointers; `swapped` runs them, and creates their records,
// in the other order, at other addresses.
HandMadeTrace make_run(bool swapped) {
  const uint64_t heap = swapped ? 0x70000 : 0x10000;
  HandMadeTrace run;
  run.thread(0);
  run.thread(0);
  run.add(0, HEDDLE_THREAD_CREATE, 0, 1);
  run.add(0, HEDDLE_THREAD_CREATE, 0, 2);
  for (uint32_t turn = 0; turn < 2; ++turn) {
    const uint32_t thread = (turn == 0) == swapped ? 2 : 1;
    const uint64_t block = heap + 64 * turn;
    run.add(thread, HEDDLE_THREAD_START);
    run.add(thread, HEDDLE_ALLOC, block, 32);
    run.add(thread, HEDDLE_STORE, block + 8, block);
    run.add(thread, HEDDLE_BRANCH, 0, 1);
    run.add(thread, HEDDLE_STORE, block, 7);
  }
  return run;
}

TEST(Alignment, RunsInAnotherOrderAreTheSame) {
  HandMadeTrace a = make_run(false), b = make_run(true);
  const Names first(a.trace()), second(b.trace());
  const Alignment alignment = align(first, second);
  EXPECT_FALSE(alignment.first_difference);
  ASSERT_EQ(alignment.threads.size(), 3u);
  EXPECT_EQ(alignment.threads[1].name, "T0.0");
  EXPECT_EQ(alignment.threads[1].equal, 4u);
  EXPECT_EQ(alignment.counterpart[2], 7u);        // T0.0 started
  EXPECT_EQ(alignment.counterpart[5], kNoEvent);  // the branch has no number
  EXPECT_EQ(alignment.objects.size(), 2u);
  EXPECT_TRUE(alignment.objects_only_first.empty());
  EXPECT_TRUE(alignment.objects_only_second.empty());
}

TEST(Alignment, WithoutAbstractionPointersDiffer) {
  HandMadeTrace a = make_run(false), b = make_run(true);
  const Names first(a.trace()), second(b.trace());
  const Alignment alignment = align(first, second, {.abstract_values = false});
  ASSERT_TRUE(alignment.first_difference);
  EXPECT_EQ(alignment.first_difference->kind, DifferenceKind::kValue);
  EXPECT_EQ(alignment.first_difference->event, "T0.0:2");
  EXPECT_FALSE(align(first, second, {.compare_values = false}).first_difference);
}

TEST(Alignment, FindsWhatDiffers) {
  const auto difference_after = [](auto change, AlignOptions options = {}) -> std::string {
    HandMadeTrace a = make_run(false), b = make_run(true);
    change(b);
    const Names first(a.trace()), second(b.trace());
    const auto found = align(first, second, options).first_difference;
    return found ? found->event + ' ' + difference_text(found->kind) : "the same";
  };
  // Places 7 to 11 of the swapped run are those of T0.0.
  const auto record = [](HandMadeTrace& run, uint32_t place) -> HeddleRecord& {
    return run.trace().events[place].record;
  };
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 11).value = 8; }), "T0.0:3 another value");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 11).address += 4; }), "T0.0:3 another object");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 11).size = 4; }), "T0.0:3 another operation");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 9).value = 0; }), "T0.0:2 another value");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 1).value = 1; }), "T0:1 another value");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 10).value = 0; }), "the same");
  EXPECT_EQ(difference_after([&](auto& run) { record(run, 10).value = 0; }, {.other_records = true}),
            "T0.0:<3 another value");
  EXPECT_EQ(difference_after([&](auto& run) {
              run.trace().sites.push_back({"a.c", 3, 1, "f", ""});
              record(run, 11).site = 1;
              run.trace().header.module_hash = "b";
            }),
            "T0.0:3 another place in the source");
  EXPECT_EQ(difference_after([&](auto& run) { run.add(0, HEDDLE_YIELD); }), "T0:2 only in the second run");
  EXPECT_EQ(difference_after([&](auto& run) { run.trace().events.pop_back(); }), "T0.0:3 only in the first run");
}

TEST(Alignment, ThreadsOfOneRunOnly) {
  HandMadeTrace a = make_run(false), b = make_run(false);
  const uint32_t extra = b.thread(1);
  b.add(extra, HEDDLE_THREAD_START, 0, 1);
  b.add(extra, HEDDLE_ALLOC, 0x90000, 8);
  const Names first(a.trace()), second(b.trace());
  const Alignment alignment = align(first, second);
  ASSERT_EQ(alignment.threads.size(), 4u);
  EXPECT_EQ(alignment.threads[3].name, "T0.0.0");
  EXPECT_FALSE(alignment.threads[3].first);
  EXPECT_EQ(alignment.threads[3].only_second, 2u);
  ASSERT_EQ(alignment.objects_only_second.size(), 1u);
  ASSERT_TRUE(alignment.first_difference);
  EXPECT_EQ(alignment.first_difference->event, "T0.0.0:0");

  const Alignment reverse = align(second, first);
  ASSERT_EQ(reverse.threads.size(), 4u);
  EXPECT_EQ(reverse.threads[2].name, "T0.0.0");  // in the order of the tree
  EXPECT_EQ(reverse.objects_only_first.size(), 1u);
}

TEST(Alignment, TheEarliestDifferenceOfAllThreadsIsTheFirst) {
  HandMadeTrace a = make_run(false), b = make_run(false);
  b.trace().events[6].record.value = 9;   // T0.0:3
  b.trace().events[11].record.value = 9;  // T0.1:3
  b.trace().events[1].record.flags = HEDDLE_FLAG_FAILED;
  const Names first(a.trace()), second(b.trace());
  const Alignment alignment = align(first, second);
  EXPECT_EQ(alignment.first_difference->event, "T0:1");
  EXPECT_EQ(alignment.threads[1].difference->event, "T0.0:3");
  EXPECT_EQ(alignment.threads[2].difference->event, "T0.1:3");
}

}  // namespace
}  // namespace heddle::naming
