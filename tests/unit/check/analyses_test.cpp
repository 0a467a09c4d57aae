// SPDX-License-Identifier: Apache-2.0
#include "check/analyses.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace heddle::check {
namespace {

ExecutionRef execution_of(size_t operations) {
  auto execution = std::make_shared<causal::Execution>();
  execution->threads.resize(1);
  for (uint32_t i = 0; i < operations; ++i) {
    HeddleRecord record = {};
    record.kind = HEDDLE_FENCE;
    record.index = i;
    execution->threads[0].operations.push_back(record);
    execution->order.push_back({{0, i}, false});
  }
  return execution;
}

TEST(Analyses, AreMadeOnceForAllWorkers) {
  const Options options;
  Analyses analyses(options);
  const ExecutionRef execution = execution_of(200);
  std::vector<std::shared_ptr<const Analysis>> seen(4);
  std::vector<std::thread> workers;
  for (auto& place : seen)
    workers.emplace_back([&] {
      LatestDependences latest;
      place = analyses.of(execution, latest);
    });
  for (std::thread& worker : workers) worker.join();
  ASSERT_NE(seen[0], nullptr);
  EXPECT_EQ(seen[0]->execution, execution);
  for (const auto& analysis : seen) EXPECT_EQ(analysis, seen[0]);
}

TEST(Analyses, ForgetsWhatWasNotUsedForLongest) {
  const Options options;
  Analyses analyses(options, 25);
  LatestDependences latest;
  const ExecutionRef one = execution_of(10), two = execution_of(10), three = execution_of(10);
  const auto of_one = analyses.of(one, latest), of_two = analyses.of(two, latest);
  EXPECT_EQ(analyses.of(one, latest), of_one);
  analyses.of(three, latest);
  EXPECT_EQ(analyses.of(one, latest), of_one);
  EXPECT_NE(analyses.of(two, latest), of_two);
  EXPECT_EQ(of_two->execution, two) << "who uses one that was forgotten keeps it";
}

TEST(Analyses, TakesDependencesThatTheWorkerHasMade) {
  const Options options;
  Analyses analyses(options);
  LatestDependences latest;
  const ExecutionRef execution = execution_of(10);
  const auto dependences = latest.of(execution);
  EXPECT_EQ(analyses.of(execution, latest)->dependences, dependences);
}

}  // namespace
}  // namespace heddle::check
