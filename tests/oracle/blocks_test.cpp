// SPDX-License-Identifier: Apache-2.0
//
// Brute force on blocks of the heap and on threads that nobody creates, where
// the answer is known.
#include <gtest/gtest.h>

#include "oracle/brute_force.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

constexpr int kPointer = 24;  // where the shared pointer is

Operation publish(int source) {
  Operation operation = store_sum(kPointer, source, 0);
  operation.size = 8;
  return operation;
}

Operation find(int target) { return load(target, kPointer, MemoryOrder::kNotAtomic, 8); }

Program with_pointers(std::vector<std::vector<Operation>> workers) {
  Program program = with_main(std::move(workers));
  program.has_pointers = true;
  return program;
}

// Numbers in the program: main creates and joins first.
int number_of(const Program& program, size_t thread, size_t place) {
  return program.threads[thread].operations[place].number;
}

TEST(Blocks, AnotherThreadFindsWhatIsInABlock) {
  const Program program = with_pointers({{allocate(3, 1), through(3, store(0, 2)), publish(3)},
                                         {find(3), branch(3, 0, 1, false), through(3, load(0, 0))}});
  const Truth sc = brute_force(program, MemoryModel::kSc);
  EXPECT_EQ(sc.classes, 2u);
  EXPECT_TRUE(sc.failing_assertions.empty());
  // Under PSO the pointer may be seen before what the block holds.
  EXPECT_EQ(brute_force(program, MemoryModel::kPso).classes, 3u);
}

TEST(Blocks, UsingABlockFailsOnceItIsReleased) {
  const Program program = with_pointers(
      {{allocate(3, 1), publish(3), release(3)}, {find(3), branch(3, 0, 1, false), through(3, load(0, 0))}});
  const Truth truth = brute_force(program, MemoryModel::kSc);
  EXPECT_EQ(truth.failing_assertions, std::set<int>{number_of(program, 2, 2)});
}

TEST(Blocks, UsingNothingFailsAndReleasingNothingDoesNot) {
  const Program program = with_pointers({{release(3), through(3, load(0, 0))}});
  const Truth truth = brute_force(program, MemoryModel::kTso);
  EXPECT_EQ(truth.failing_assertions, std::set<int>{number_of(program, 1, 1)});
  EXPECT_TRUE(truth.outcomes.empty());
}

TEST(Blocks, ASecondReleaseFails) {
  const Program program = with_pointers({{allocate(3, 1), publish(3), release(3)}, {find(3), release(3)}});
  const Truth truth = brute_force(program, MemoryModel::kSc);
  EXPECT_EQ(truth.failing_assertions, (std::set<int>{number_of(program, 1, 2), number_of(program, 2, 1)}));
}

// Releasing waits for the store before it, so whoever sees the release sees that too.
TEST(Blocks, ReleasingEmptiesTheStoreBuffer) {
  const auto half = [](int own, int other, bool releases) {
    std::vector<Operation> operations = {allocate(3, own / 8 + 1), store(own, 1)};
    if (releases) operations.push_back(release(3));
    operations.push_back(load(0, other));
    return operations;
  };
  EXPECT_EQ(brute_force(with_pointers({half(0, 8, false), half(8, 0, false)}), MemoryModel::kTso).classes, 4u);
  EXPECT_EQ(brute_force(with_pointers({half(0, 8, true), half(8, 0, true)}), MemoryModel::kTso).classes, 3u);
}

TEST(Blocks, AThreadThatNobodyCreatesIsNotWaitedFor) {
  Program program;
  program.threads.resize(3);
  program.threads[0].operations = {create(1), load(0, 0), branch(0, 1, 2), create(2), join(2), join(1)};
  program.threads[1].operations = {store(0, 1)};
  program.threads[2].operations = {load(0, 0)};
  number_operations(program);
  const Truth truth = brute_force(program, MemoryModel::kSc);
  EXPECT_EQ(truth.outcomes.size(), 2u);
  EXPECT_FALSE(truth.deadlock);
}

}  // namespace
}  // namespace heddle::oracle
