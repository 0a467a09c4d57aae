// SPDX-License-Identifier: Apache-2.0
//
// Names of threads, the table of kinds, and statistics.
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <set>

#include "trace/kinds.h"
#include "trace/stats.h"
#include "trace_builder.h"

namespace heddle::trace {
namespace {

TEST(ThreadName, IsThePathFromTheRoot) {
  Trace trace;
  trace.threads = {{}, {0, 0}, {0, 1}, {2, 0}, {3, 12}};
  EXPECT_EQ(trace.thread_name(0), "T0");
  EXPECT_EQ(trace.thread_name(1), "T0.0");
  EXPECT_EQ(trace.thread_name(2), "T0.1");
  EXPECT_EQ(trace.thread_name(4), "T0.1.0.12");
}

TEST(ThreadName, OfNonsenseIsUnknown) {
  Trace trace;
  trace.threads = {{}, {2, 0}, {1, 0}, {7, 0}};
  EXPECT_EQ(trace.thread_name(1), "T?") << "a cycle";
  EXPECT_EQ(trace.thread_name(3), "T?") << "a parent that is not there";
  EXPECT_EQ(trace.thread_name(9), "T?") << "not there itself";
}

TEST(Kinds, NamesAndNumbersAreUniqueAndLeadBack) {
  std::set<std::string> names;
  int last = 0;
  for (const KindInfo& info : all_kinds()) {
    EXPECT_GT(info.kind, last) << "ascending";
    last = info.kind;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_kind(static_cast<uint8_t>(info.kind)), &info);
    EXPECT_EQ(find_kind(std::string_view(info.name)), &info);
    EXPECT_EQ(info.family == Family::kRecord, info.kind > HEDDLE_LAST_VISIBLE) << info.name;
  }
}

TEST(Kinds, FramesAndUnknownNumbersAreNotKinds) {
  for (const int kind : {0, 6, 7, 127, 200, 240, 241, 242, 243, 255}) {
    EXPECT_EQ(find_kind(static_cast<uint8_t>(kind)), nullptr) << kind;
  }
  EXPECT_EQ(kind_name(200), "kind 200");
  EXPECT_EQ(find_kind(std::string_view("kind 200")), nullptr);
}

TEST(Kinds, OrdersFlagsAndOutcomesLeadBack) {
  for (uint8_t order = 0; order <= HEDDLE_ORDER_SEQ_CST; ++order) EXPECT_EQ(find_order(order_name(order)), order);
  EXPECT_EQ(order_name(7), nullptr);
  for (uint8_t bit = 0; bit < 8; ++bit) EXPECT_EQ(find_flag(flag_name(bit)), 1u << bit);
  EXPECT_EQ(flag_name(8), nullptr);
  for (int outcome = 0; outcome <= HEDDLE_OUTCOME_HANG; ++outcome) {
    EXPECT_EQ(find_outcome(outcome_name(static_cast<uint64_t>(outcome))), outcome);
  }
  EXPECT_EQ(outcome_name(HEDDLE_OUTCOME_HANG + 1), nullptr);
  EXPECT_STREQ(failure_name(HEDDLE_FAILURE_OUT_OF_BOUNDS), "out_of_bounds");
  EXPECT_EQ(failure_name(0), nullptr);
}

TEST(Kinds, FailedCompareExchangeDoesNotWrite) {
  HeddleRecord record{};
  record.kind = HEDDLE_CAS;
  EXPECT_TRUE(wrote_memory(record));
  record.flags = HEDDLE_FLAG_FAILED;
  EXPECT_FALSE(wrote_memory(record));
  EXPECT_TRUE(read_memory(record));
}

TEST(Stats, CountWhatIsThere) {
  TraceBuilder build;
  build.trace() = counter_trace();
  build.trace().events.push_back(build.trace().events[3]);
  build.trace().events.back().record.kind = HEDDLE_BRANCH;
  const Stats stats = collect_stats(build.trace());
  EXPECT_EQ(stats.events, 14u);
  EXPECT_EQ(stats.visible, 13u);
  EXPECT_EQ(stats.accesses, 4u);
  EXPECT_EQ(stats.addresses, 1u);
  EXPECT_EQ(stats.sites, 3u);
  EXPECT_EQ(stats.synchronisation, 9u) << "create, start, end, join, exit, two locks, two unlocks";
  EXPECT_EQ(stats.thread_switches, 4u);
  EXPECT_EQ(stats.by_kind.at(HEDDLE_LOAD), 2u);
  ASSERT_EQ(stats.by_thread.size(), 2u);
  EXPECT_EQ(stats.by_thread[1].name, "T0.0");
  EXPECT_EQ(stats.by_thread[1].events, 6u);
  EXPECT_EQ(stats.by_thread[1].reads, 1u);
  EXPECT_EQ(stats.by_thread[1].writes, 1u);
  EXPECT_GT(stats.encoded_bytes, 0u);
}

TEST(Stats, TextNamesTheFacts) {
  const Trace trace = counter_trace();
  const std::string text = stats_text(trace, collect_stats(trace));
  for (const char* part :
       {"program           counter\n", "ending            exit 0\n", "events            13 (13 visible)\n",
        "mutex_lock                   2\n", "T0.0                         6"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Stats, TextSaysThatATraceBrokeOff) {
  Trace trace = counter_trace();
  trace.complete = false;
  trace.damage = "the file breaks off";
  const std::string text = stats_text(trace, collect_stats(trace));
  EXPECT_NE(text.find("broke off; the file breaks off"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::trace
