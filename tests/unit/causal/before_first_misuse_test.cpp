// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "causal/execution.h"

namespace heddle::causal {
namespace {

void add(Execution& execution, ThreadId thread, uint8_t kind, uint64_t value = 0) {
  ThreadPart& part = execution.threads[thread];
  HeddleRecord record = {};
  record.kind = kind;
  record.thread = thread;
  record.index = static_cast<uint32_t>(part.operations.size());
  record.value = value;
  if (part.histories.empty()) part.histories.push_back(0);
  part.operations.push_back(record);
  part.histories.push_back(0);
  execution.order.push_back({{thread, record.index}, false});
}

TEST(BeforeFirstMisuse, IsTheExecutionItselfIfThereIsNone) {
  auto execution = std::make_shared<Execution>();
  execution->threads.resize(1);
  add(*execution, 0, HEDDLE_MUTEX_LOCK);
  EXPECT_EQ(before_first_misuse(execution), execution);
}

TEST(BeforeFirstMisuse, LeavesOutTheMisuseAndAllThatCameAfterIt) {
  auto execution = std::make_shared<Execution>();
  execution->threads.resize(2);
  execution->is_complete = true;
  add(*execution, 0, HEDDLE_MUTEX_LOCK);
  add(*execution, 1, HEDDLE_LOAD);
  add(*execution, 1, HEDDLE_MUTEX_UNLOCK);
  add(*execution, 1, HEDDLE_FAIL, HEDDLE_FAILURE_MISUSE);
  execution->failures.push_back({{1, 2}, HEDDLE_FAILURE_MISUSE, "unlock of a mutex held by another thread"});
  add(*execution, 0, HEDDLE_MUTEX_UNLOCK);
  const std::shared_ptr<const Execution> before = before_first_misuse(execution);
  EXPECT_TRUE(before->is_cut);
  EXPECT_FALSE(before->is_complete);
  EXPECT_EQ(before->order.size(), 2u);
  EXPECT_EQ(before->length(0), 1u);
  EXPECT_EQ(before->length(1), 1u);
  EXPECT_EQ(before->threads[1].histories.size(), 2u);
}

}  // namespace
}  // namespace heddle::causal
