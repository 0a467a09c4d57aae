// SPDX-License-Identifier: Apache-2.0
//
// Flush steps: what they may name, and what a run does with stores after the
// last step.
#include <gtest/gtest.h>

#include "execute/target_for_test.h"
#include "schedule/from_trace.h"
#include "trace/validate.h"

namespace heddle::tests {
namespace {

using schedule::MemoryModel;
using schedule::StepKind;

// Operations of T0: 0 x=1, 1 y=1, 2 x=2, 3 release store, 4 z=1, 5 load x, 6 yield, 7 exit.
constexpr const char* kStores = R"(
#include <sched.h>
#include <stdatomic.h>
static volatile int x, y, z;
static atomic_int flag;
int main(void) {
  x = 1; y = 1; x = 2;
  atomic_store_explicit(&flag, 1, memory_order_release);
  z = 1;
  (void)x;
  sched_yield();
  return 0;
}
)";

schedule::Schedule steps(MemoryModel model, std::vector<std::pair<StepKind, uint32_t>> steps) {
  schedule::Schedule schedule;
  schedule.memory_model = model;
  for (const auto& [kind, index] : steps) {
    schedule::Step step;
    step.kind = kind;
    step.index = index;
    schedule.steps.push_back(step);
  }
  return schedule;
}

class StoreBufferSteps : public testing::Test {
 protected:
  trace::Trace follow(const schedule::Schedule& schedule) {
    execute::RunRequest request;
    request.prefix = &schedule;
    auto run = executor_->run(request);
    EXPECT_TRUE(run);
    const trace::Trace trace = executor_->to_trace(*run, request);
    const auto problems = trace::validate(trace);
    EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems);
    return trace;
  }

  void expect_divergence(const schedule::Schedule& schedule, const std::string& why) {
    const trace::Trace trace = follow(schedule);
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_DIVERGED);
    EXPECT_NE(trace.ending.message.find(why), std::string::npos) << trace.ending.message;
  }

  // Which stores had left the buffer, in order, and where the load stands among them.
  static std::vector<int> flushes(const trace::Trace& trace) {
    std::vector<int> order;
    for (const trace::Event& event : trace.events) {
      if (event.record.kind == HEDDLE_FLUSH) order.push_back(static_cast<int>(event.record.index));
      if (event.record.kind == HEDDLE_YIELD) order.push_back(-1);
    }
    return order;
  }

  std::unique_ptr<execute::Executor> executor_ = start_text(kStores);
};

constexpr auto kOp = StepKind::kOp;
constexpr auto kFlush = StepKind::kFlush;

TEST_F(StoreBufferSteps, AfterTheLastStepStoresLeaveOldestFirstAndOnlyWhenNeeded) {
  for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso}) {
    const trace::Trace trace = follow(steps(model, {}));
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_EXIT) << trace.ending.message;
    EXPECT_EQ(flushes(trace), (std::vector{-1, 0, 1, 2, 3, 4}));
  }
}

TEST_F(StoreBufferSteps, SequentialConsistencyHasNone) {
  EXPECT_EQ(flushes(follow(steps(MemoryModel::kSc, {}))), (std::vector{-1}));
  expect_divergence(steps(MemoryModel::kSc, {{kOp, 0}, {kFlush, 0}}), "under sequential consistency");
}

TEST_F(StoreBufferSteps, TsoKeepsTheOrderOfTheThread) {
  const trace::Trace trace = follow(steps(MemoryModel::kTso, {{kOp, 0}, {kFlush, 0}, {kOp, 1}, {kOp, 2}, {kFlush, 1}}));
  EXPECT_EQ(flushes(trace), (std::vector{0, 1, -1, 2, 3, 4}));
  expect_divergence(steps(MemoryModel::kTso, {{kOp, 0}, {kOp, 1}, {kFlush, 1}}), "an older store");
}

TEST_F(StoreBufferSteps, PsoKeepsTheOrderOfALocation) {
  const trace::Trace trace = follow(steps(MemoryModel::kPso, {{kOp, 0}, {kOp, 1}, {kOp, 2}, {kFlush, 1}, {kFlush, 0}}));
  EXPECT_EQ(flushes(trace), (std::vector{1, 0, -1, 2, 3, 4}));
  expect_divergence(steps(MemoryModel::kPso, {{kOp, 0}, {kOp, 1}, {kOp, 2}, {kFlush, 2}}), "to the same bytes");
}

TEST_F(StoreBufferSteps, PsoKeepsStoresBehindARelease) {
  const std::vector<std::pair<StepKind, uint32_t>> all = {{kOp, 0}, {kOp, 1}, {kOp, 2}, {kOp, 3}, {kOp, 4}};
  auto early = all;
  early.emplace_back(kFlush, 3);
  expect_divergence(steps(MemoryModel::kPso, early), "before a release");
  early.back().second = 4;
  expect_divergence(steps(MemoryModel::kPso, early), "before a release");
  auto later = all;
  for (const uint32_t index : {1u, 0u, 2u, 4u, 3u}) later.emplace_back(kFlush, index);
  EXPECT_EQ(flushes(follow(steps(MemoryModel::kPso, later))), (std::vector{1, 0, 2, 4, 3, -1}));
}

TEST_F(StoreBufferSteps, AStoreThatIsNotThereCannotLeave) {
  expect_divergence(steps(MemoryModel::kTso, {{kFlush, 0}}), "no store in the buffer");
  expect_divergence(steps(MemoryModel::kTso, {{kOp, 0}, {kFlush, 0}, {kFlush, 0}}), "no store in the buffer");
  expect_divergence(
      steps(MemoryModel::kTso, {{kOp, 0}, {kOp, 1}, {kOp, 2}, {kOp, 3}, {kOp, 4}, {kOp, 5}, {kOp, 6}, {kOp, 7}}),
      "stores are still in the buffer");
}

TEST_F(StoreBufferSteps, RunsDoNotInheritStores) {
  execute::RunRequest request;
  request.memory = MemoryModel::kPso;
  request.event_limit = 4;  // ends with full buffers
  auto cut = executor_->run(request);
  ASSERT_TRUE(cut);
  ASSERT_EQ(cut->ending.outcome, HEDDLE_OUTCOME_BOUND);
  EXPECT_EQ(flushes(follow(steps(MemoryModel::kPso, {}))), (std::vector{-1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(flushes(follow(steps(MemoryModel::kSc, {}))), (std::vector{-1}));
}

// A store to a local variable whose function returns never reaches memory.
TEST(StoreBufferLocals, StoresToDeadVariablesAreDropped) {
  auto executor = start_text(R"(
static int *volatile shown;
static int use(int n) {
  volatile int local = n;
  shown = (int *)&local;
  local = n + 1;
  return local;
}
int main(void) { return use(1) + use(2) - 5; }
)");
  execute::RunRequest request;
  request.memory = MemoryModel::kTso;
  auto run = executor->run(request);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->ending.detail, 0u) << run->ending.message;
  const trace::Trace trace = executor->to_trace(*run, request);
  const auto problems = trace::validate(trace);
  EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems);
  size_t dropped = 0;
  for (const HeddleRecord& record : run->records)
    dropped += record.kind == HEDDLE_FLUSH && (record.flags & HEDDLE_FLAG_FAILED);
  EXPECT_EQ(dropped, 4u);
  const schedule::Schedule schedule = schedule::from_trace(trace);
  execute::RunRequest again;
  again.prefix = &schedule;
  auto replayed = executor->run(again);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(executor->to_trace(*replayed, again).events, trace.events) << replayed->ending.message;
}

}  // namespace
}  // namespace heddle::tests
