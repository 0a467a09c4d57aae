// SPDX-License-Identifier: Apache-2.0
#include "reproduce/known_paths.h"

#include <gtest/gtest.h>

#include "reproduce/failing_run.h"

namespace heddle::reproduce {
namespace {

constexpr uint32_t kBranch = 5;

// T0 makes two threads; the recorded way of each is a row of branches.
class KnownPathsTest : public ::testing::Test {
 protected:
  KnownPathsTest() {
    for (const char* name : {"T0", "T0.0", "T0.1"}) {
      record::Thread& thread = recording.threads.emplace_back();
      thread.name = name;
      for (int i = 0; i < 3; ++i) thread.path.append(true);
    }
  }

  // A run whose threads are numbered in the order in which T0 makes them, with so many right branches of each.
  trace::Trace run(const std::vector<uint32_t>& children, const std::vector<uint32_t>& right) {
    trace::Trace trace;
    trace.sites.resize(kBranch + 1);
    trace.threads.push_back({});
    for (const uint32_t child : children) trace.threads.push_back({0, child});
    for (uint32_t t = 1; t < trace.threads.size(); ++t) add(trace, HEDDLE_THREAD_CREATE, 0, t);
    for (uint32_t t = 0; t < trace.threads.size(); ++t) {
      for (uint32_t i = 0; i < right[t]; ++i) add(trace, HEDDLE_BRANCH, t, 0);
      if (right[t] < 3) add(trace, HEDDLE_BRANCH, t, 1);
    }
    return trace;
  }
  static void add(trace::Trace& trace, HeddleKind kind, uint32_t thread, uint64_t value) {
    trace::Event event = {};
    event.record.kind = kind;
    event.record.thread = thread;
    event.record.site = kBranch;
    event.record.value = value;
    trace.events.push_back(event);
  }

  record::Recording recording;
  SwitchNumbers switches;
};

TEST_F(KnownPathsTest, KeepsTheFurthestWayOfEachThread) {
  KnownPaths known(recording, switches);
  const KnownPaths::Lesson first = known.learn(run({0, 1}, {3, 2, 0}));
  EXPECT_TRUE(first.is_new);
  EXPECT_TRUE(first.deviates);
  EXPECT_EQ(first.bits, 5u);
  const KnownPaths::Lesson second = known.learn(run({0, 1}, {3, 0, 3}));
  EXPECT_TRUE(second.is_new);
  EXPECT_EQ(known.bits(), 8u);
  EXPECT_FALSE(known.is_whole());
  EXPECT_FALSE(known.learn(run({0, 1}, {3, 1, 2})).is_new);
  EXPECT_FALSE(known.learn(run({0, 1}, {3, 3, 3})).deviates);
  EXPECT_TRUE(known.is_whole());
}

TEST_F(KnownPathsTest, ThreadsKeepTheirNumbers) {
  KnownPaths known(recording, switches);
  known.learn(run({0, 1}, {0, 1, 1}));
  known.learn(run({1, 0}, {3, 0, 3}));  // numbered the other way round
  ASSERT_EQ(known.threads().size(), 3u);
  EXPECT_EQ(known.find("T0.0"), 1u);
  EXPECT_EQ(known.threads()[1].agreement.bits, 3u);
  EXPECT_EQ(known.threads()[2].agreement.bits, 1u);
  const std::vector<HeddleRecord>& creator = known.threads()[0].records;
  EXPECT_EQ(creator[0].value, 2u);
  EXPECT_EQ(creator[1].value, 1u);
  EXPECT_EQ(known.find("T0.7"), kNobody);
}

TEST_F(KnownPathsTest, AThreadThatIsMadeOffTheWayDoesNotCount) {
  trace::Trace trace = run({0}, {0, 3});
  trace.events.clear();
  add(trace, HEDDLE_BRANCH, 0, 1);  // not as recorded
  add(trace, HEDDLE_THREAD_CREATE, 0, 1);
  for (int i = 0; i < 3; ++i) add(trace, HEDDLE_BRANCH, 1, 0);
  KnownPaths known(recording, switches);
  EXPECT_EQ(known.learn(trace).bits, 0u);
  EXPECT_EQ(known.find("T0.0"), kNobody);
}

}  // namespace
}  // namespace heddle::reproduce
