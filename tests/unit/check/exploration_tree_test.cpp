// SPDX-License-Identifier: Apache-2.0
#include "check/exploration_tree.h"

#include <gtest/gtest.h>

namespace heddle::check {
namespace {

constexpr causal::ThreadId kOther = 1;

// One load a step: thread, value.
causal::Execution execution_of(const std::vector<std::pair<causal::ThreadId, uint64_t>>& steps,
                               HeddleOutcome outcome = HEDDLE_OUTCOME_EXIT) {
  causal::Execution execution;
  execution.threads.resize(2);
  for (const auto& [thread, value] : steps) {
    HeddleRecord record = {};
    record.kind = HEDDLE_LOAD;
    record.size = 4;
    record.value = value;
    std::vector<HeddleRecord>& operations = execution.threads[thread].operations;
    execution.order.push_back({{thread, static_cast<uint32_t>(operations.size())}});
    operations.push_back(record);
  }
  execution.ending.outcome = outcome;
  return execution;
}

causal::ThreadTable two_threads() {
  causal::ThreadTable threads;
  threads.child_of(causal::kMainThread, 0);
  return threads;
}

TEST(ExplorationTree, PartsWhereExecutionsDo) {
  ExplorationTree tree;
  tree.add(execution_of({{0, 1}, {0, 2}, {0, 3}, {kOther, 4}}), false);
  tree.add(execution_of({{0, 1}, {0, 2}, {kOther, 4}, {0, 3}}), true);
  tree.add(execution_of({{0, 1}, {kOther, 4}, {0, 2}, {0, 3}}, HEDDLE_OUTCOME_DEADLOCK), false);
  const std::vector<Branch> branches = tree.exploration(two_threads()).branches;
  ASSERT_EQ(branches.size(), 5u);
  const auto is = [&](size_t i, uint32_t parent, uint32_t step, uint32_t steps, const char* thread, uint64_t value) {
    const Branch& branch = branches[i];
    return branch.parent == parent && branch.step == step && branch.steps == steps && branch.thread == thread &&
           branch.value == value;
  };
  EXPECT_TRUE(is(0, 0, 0, 1, "T0", 1));
  EXPECT_TRUE(is(1, 0, 1, 1, "T0", 2));
  EXPECT_TRUE(is(2, 1, 2, 2, "T0", 3));
  EXPECT_TRUE(is(3, 1, 2, 2, "T0.0", 4));
  EXPECT_TRUE(is(4, 0, 1, 3, "T0.0", 4));
  EXPECT_EQ(branches[0].executions, 3u);
  EXPECT_EQ(branches[0].failed, 1u);
  EXPECT_EQ(branches[0].blocked, 1u);
  EXPECT_EQ(branches[1].executions, 2u);
  EXPECT_EQ(branches[3].failed, 1u);
  EXPECT_EQ(branches[4].blocked, 1u);
}

TEST(ExplorationTree, KnowsExecutionsThatEndEarlierOrAreTheSame) {
  ExplorationTree tree;
  for (int i = 0; i < 2; ++i) tree.add(execution_of({{0, 1}, {0, 2}}), false);
  tree.add(execution_of({{0, 1}}), false);
  tree.add(execution_of({{0, 7}}), false);
  const std::vector<Branch> branches = tree.exploration(two_threads()).branches;
  ASSERT_EQ(branches.size(), 5u);
  EXPECT_EQ(branches[0].steps, 0u);  // nothing is common to all
  EXPECT_EQ(branches[0].executions, 4u);
  EXPECT_EQ(branches[1].executions, 3u);
  EXPECT_EQ(branches[2].executions, 2u);
  EXPECT_EQ(branches[3].steps, 0u);  // ends
  EXPECT_EQ(branches[4].value, 7u);
}

TEST(ExplorationTree, CountsWhatItDoesNotKeep) {
  ExplorationTree tree;
  for (uint64_t i = 0; i < ExplorationTree::kMostExecutions + 5; ++i) tree.add(execution_of({{0, i}}), false);
  const Exploration exploration = tree.exploration(two_threads());
  EXPECT_EQ(exploration.left_out, 5u);
  EXPECT_EQ(exploration.branches[0].executions, ExplorationTree::kMostExecutions);
  EXPECT_TRUE(ExplorationTree().exploration(two_threads()).branches.empty());
}

}  // namespace
}  // namespace heddle::check
