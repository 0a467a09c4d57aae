// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_witness.h"

#include <gtest/gtest.h>

namespace heddle::predict {
namespace {

using solve::Op;
using solve::Term;

constexpr uint64_t kX = 0x1000, kY = 0x1008;

// T0:   0 y = 3, 1 x = 1, 2 y = 5
// T0.0: 0 reads y (and found 5), 1 writes y + 1 to x, if y > 2
class RecipeWitnessTest : public testing::Test {
 protected:
  RecipeWitnessTest() {
    trace_.threads = {{HEDDLE_NO_THREAD, 0}, {0, 0}};
    recipe_.symbolic.threads.resize(2);
    solve::Terms& terms = recipe_.terms;
    store(0, kY, terms.constant(32, 3), 0);
    store(0, kX, terms.constant(32, 1), 0);
    store(0, kY, terms.constant(32, 5), 3);
    read_ = terms.symbol(32, "y", 5);
    symbolic::Operation& load = add(1, HEDDLE_LOAD, kY, 5, 0);
    load.read = read_;
    recipe_.symbolic.threads[1].conditions.push_back({terms.apply(Op::kUlt, terms.constant(32, 2), read_), 1, 0, {}});
    store(1, kX, terms.add(read_, terms.constant(32, 1)), 1);
  }

  std::string check(const std::vector<causal::EventId>& events, std::vector<causal::EventId> next, size_t history = 0) {
    return check_values(trace_, recipe_, history, planned(events), next, std::nullopt);
  }
  // Instead of the condition of T0.0: what it read is this.
  std::string check_read(const std::vector<causal::EventId>& events, uint64_t value) {
    const Term wanted = recipe_.terms.eq(read_, recipe_.terms.constant(32, value));
    return check_values(trace_, recipe_, 0, planned(events), 1, 0, wanted);
  }

  static std::vector<property::PlannedStep> planned(const std::vector<causal::EventId>& events) {
    std::vector<property::PlannedStep> plan;
    for (const causal::EventId event : events) plan.push_back({schedule::StepKind::kOp, event, 0, 0});
    return plan;
  }

  symbolic::Operation& add(uint32_t thread, uint8_t kind, uint64_t address, uint64_t value, uint64_t replaced) {
    auto& operations = recipe_.symbolic.threads[thread].operations;
    trace::Event event{};
    event.record.kind = kind;
    event.record.size = 4;
    event.record.thread = thread;
    event.record.index = static_cast<uint32_t>(operations.size());
    event.record.address = address;
    event.record.value = value;
    event.record.value2 = replaced;
    if (kind == HEDDLE_STORE) event.record.flags = HEDDLE_FLAG_REPLACED;
    trace_.events.push_back(event);
    symbolic::Operation operation;
    operation.kind = kind;
    operation.index = event.record.index;
    operation.address = recipe_.terms.constant(64, address);
    operation.size = 4;
    operations.push_back(operation);
    return operations.back();
  }
  void store(uint32_t thread, uint64_t address, Term value, uint64_t replaced) {
    add(thread, HEDDLE_STORE, address, recipe_.terms.observed(value), replaced).written = value;
  }

  trace::Trace trace_;
  symbolic::WalkedTrace recipe_;
  Term read_;
};

TEST_F(RecipeWitnessTest, AnotherValueThatLeadsThereToo) {
  EXPECT_EQ(check({{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}), "") << "y = 3 is greater than 2";
}

TEST_F(RecipeWitnessTest, AValueThatDoesNotLeadThere) {
  EXPECT_EQ(check({{1, 0}}, {{0, 0}, {1, 1}}), "a condition does not hold") << "y was 0 at first";
  EXPECT_EQ(check({{1, 0}, {1, 1}}, {}), "T0.0 1: a condition does not hold");
}

TEST_F(RecipeWitnessTest, WhatWasBeforeTheWindowStays) {
  EXPECT_EQ(check({{1, 0}}, {{0, 1}, {1, 1}}, 1), "");
  EXPECT_EQ(check({{0, 0}}, {}, 1), "T0 0: it is not what its thread does next");
}

TEST_F(RecipeWitnessTest, OperationsComeInTheOrderOfTheirThread) {
  EXPECT_EQ(check({{0, 0}, {1, 0}}, {{0, 2}, {1, 1}}), "it is not what its thread does next");
  EXPECT_EQ(check({{0, 1}}, {}), "T0 1: it is not what its thread does next");
}

TEST_F(RecipeWitnessTest, AValueThatIsWantedIsTheOneThatIsFound) {
  EXPECT_EQ(check_read({{0, 0}, {1, 0}}, 3), "");
  EXPECT_EQ(check_read({{0, 0}, {1, 0}}, 5), "what is wanted does not hold");
  EXPECT_EQ(check_read({{0, 0}, {0, 1}, {0, 2}, {1, 0}}, 5), "");
  EXPECT_EQ(check_read({{1, 0}}, 0), "");
}

// A read in parts: one byte of what it finds is another's.
TEST_F(RecipeWitnessTest, MemoryIsKeptByteByByte) {
  recipe_.symbolic.threads[0].operations[2].size = 1;  // y = 5 writes its lowest byte only
  EXPECT_EQ(check_read({{0, 0}, {0, 1}, {0, 2}, {1, 0}}, 5), "");
  recipe_.symbolic.threads[0].operations[2].address = recipe_.terms.constant(64, kY + 1);
  EXPECT_EQ(check_read({{0, 0}, {0, 1}, {0, 2}, {1, 0}}, 0x503), "");
}

}  // namespace
}  // namespace heddle::predict
