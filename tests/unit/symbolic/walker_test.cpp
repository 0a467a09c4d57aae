// SPDX-License-Identifier: Apache-2.0
#include "symbolic/walker.h"

#include <gtest/gtest.h>

#include "tests/unit/symbolic/tiny_run.h"

namespace heddle::symbolic {
namespace {

constexpr uint64_t kX = 4096, kY = 8192;  // the first two globals

// if (x + 1 > 2) y = x + 1;
constexpr const char* kBranch = R"(
@x = global i32 0
@y = global i32 0
define void @f() {
  %old = load i32, ptr @x
  %sum = add i32 %old, 1
  %more = icmp sgt i32 %sum, 2
  br i1 %more, label %yes, label %no
yes:
  store i32 %sum, ptr @y
  br label %no
no:
  ret void
})";

TEST(Walker, WhatIsReadIsASymbolAndWhatIsWrittenATerm) {
  TinyRun run(kBranch);
  const ThreadTrace& trace = run.enter("f").load(1, kX, 4, 7).branch(4, 0).store(5, kY, 4, 8).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 2u);
  ASSERT_TRUE(trace.operations[0].read && trace.operations[1].written);
  EXPECT_EQ(run.terms.name(*trace.operations[0].read), "T0:0");
  EXPECT_EQ(run.terms.observed(*trace.operations[1].written), 8u);
  EXPECT_EQ(run.terms.evaluate(*trace.operations[1].written, {{*trace.operations[0].read, 40}}), 41u);
  EXPECT_EQ(run.statistics.lost, 0u);
}

TEST(Walker, ABranchIsAConditionOnWhatFollows) {
  TinyRun run(kBranch);
  const ThreadTrace& trace = run.enter("f").load(1, kX, 4, 7).branch(4, 0).store(5, kY, 4, 8).leave("f").walk();
  ASSERT_EQ(trace.conditions.size(), 1u);
  const Condition& condition = trace.conditions[0];
  EXPECT_EQ(condition.kind, Condition::Kind::kBranch);
  EXPECT_EQ(condition.before_operation, 1u);
  const solve::Term read = *trace.operations[0].read;
  EXPECT_EQ(run.terms.evaluate(condition.holds, {{read, 2}}), 1u);
  EXPECT_EQ(run.terms.evaluate(condition.holds, {{read, 1}}), 0u);
  EXPECT_EQ(run.terms.evaluate(condition.holds, {{read, 0x80000000u}}), 0u) << "signed";
}

TEST(Walker, TheOtherWayIsTheOppositeCondition) {
  TinyRun run(kBranch);
  const ThreadTrace& trace = run.enter("f").load(1, kX, 4, 1).branch(4, 1).leave("f").walk();
  ASSERT_EQ(trace.conditions.size(), 1u);
  const solve::Term read = *trace.operations[0].read;
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{read, 1}}), 1u);
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{read, 2}}), 0u);
}

TEST(Walker, TheSideNotTakenIsADetour) {
  TinyRun run(kBranch);
  const ThreadTrace& trace = run.enter("f").load(1, kX, 4, 1).branch(4, 1).leave("f").walk(/*detours=*/true);
  ASSERT_EQ(trace.detours.size(), 1u);
  const Detour& detour = trace.detours[0];
  EXPECT_EQ(detour.first_operation, 1u);
  ASSERT_EQ(detour.operations.size(), 1u);
  EXPECT_EQ(detour.operations[0].kind, HEDDLE_STORE);
  EXPECT_EQ(run.terms.observed(detour.operations[0].address), kY);
  const solve::Term read = *trace.operations[0].read;
  EXPECT_EQ(run.terms.evaluate(*detour.operations[0].written, {{read, 5}}), 6u);
  ASSERT_FALSE(detour.conditions.empty());
  EXPECT_EQ(run.terms.evaluate(detour.conditions[0].holds, {{read, 5}}), 1u);
  EXPECT_EQ(run.terms.evaluate(detour.conditions[0].holds, {{read, 1}}), 0u);
}

// a[i] = 1, as a field of the array that the index chooses.
TEST(Walker, AnAddressThatWasReadIsACondition) {
  TinyRun run(R"(
@i = global i64 0
@a = global [8 x i32] zeroinitializer
define void @f() {
  %index = load i64, ptr @i
  %place = getelementptr [8 x i32], ptr @a, i64 0, i64 %index
  store i32 1, ptr %place
  ret void
})");
  const ThreadTrace& trace = run.enter("f").load(1, kX, 8, 3).store(3, kY + 12, 4, 1).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 2u);
  EXPECT_EQ(run.terms.observed(trace.operations[1].address), kY + 12);
  ASSERT_EQ(trace.conditions.size(), 1u);
  EXPECT_EQ(trace.conditions[0].kind, Condition::Kind::kAddress);
  const solve::Term index = *trace.operations[0].read;
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{index, 3}}), 1u);
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{index, 2}}), 0u);
}

TEST(Walker, ArgumentsAndResultsCarryTerms) {
  TinyRun run(R"(
@x = global i32 0
@y = global i32 0
define i32 @twice(i32 %value) {
  %sum = add i32 %value, %value
  ret i32 %sum
}
define void @f() {
  %old = load i32, ptr @x
  %new = call i32 @twice(i32 %old)
  store i32 %new, ptr @y
  ret void
})");
  const ThreadTrace& trace =
      run.enter("f").load(3, kX, 4, 5).enter("twice", {5}).leave("twice").store(5, kY, 4, 10).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 2u);
  EXPECT_EQ(run.terms.evaluate(*trace.operations[1].written, {{*trace.operations[0].read, 21}}), 42u);
  EXPECT_EQ(run.statistics.lost, 0u);
}

TEST(Walker, MemoryOfTheThreadAloneCarriesTerms) {
  TinyRun run(R"(
@x = global i32 0
@y = global i32 0
define void @f() {
  %local = alloca i32
  %old = load i32, ptr @x
  store i32 %old, ptr %local
  %again = load i32, ptr %local
  store i32 %again, ptr @y
  ret void
})");
  run.make_private({3, 4}).record_values({1});
  const ThreadTrace& trace = run.enter("f").value(1, 70000).load(2, kX, 4, 9).store(5, kY, 4, 9).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 2u) << "only what others can see";
  EXPECT_EQ(run.terms.evaluate(*trace.operations[1].written, {{*trace.operations[0].read, 4}}), 4u);
}

TEST(Walker, FloatingPointIsHeldAndCounted) {
  TinyRun run(R"(
@x = global double 0.0
@y = global double 0.0
define void @f() {
  %old = load double, ptr @x
  %sum = fadd double %old, 1.0
  store double %sum, ptr @y
  ret void
})");
  const uint64_t two = 0x4000000000000000, three = 0x4008000000000000;
  run.record_values({2});
  const ThreadTrace& trace =
      run.enter("f").load(1, kX, 8, two).value(2, three).store(3, kY, 8, three).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 2u);
  EXPECT_EQ(run.statistics.held, 1u);
  ASSERT_EQ(trace.conditions.size(), 1u);
  EXPECT_EQ(trace.conditions[0].kind, Condition::Kind::kHeld);
  const solve::Term read = *trace.operations[0].read;
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{read, two}}), 1u);
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{read, three}}), 0u);
  EXPECT_EQ(run.terms.evaluate(*trace.operations[1].written, {{read, 0}}), three);
}

constexpr const char* kExchange = R"(
@x = global i32 0
define void @f() {
  %pair = cmpxchg ptr @x, i32 5, i32 6 seq_cst seq_cst
  ret void
})";

TEST(Walker, AnExchangeEndsTheSameWay) {
  TinyRun run(kExchange);
  const ThreadTrace& trace = run.enter("f").exchange(1, kX, 4, 5, 6).leave("f").walk();
  ASSERT_EQ(trace.operations.size(), 1u);
  ASSERT_EQ(trace.conditions.size(), 1u);
  EXPECT_EQ(trace.conditions[0].before_operation, 0u) << "it binds the exchange itself";
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{*trace.operations[0].read, 4}}), 0u);
  EXPECT_EQ(run.terms.observed(*trace.operations[0].written), 6u);
  TinyRun other(kExchange);
  const ThreadTrace& failed = other.enter("f").exchange(1, kX, 4, 4, 5, /*fails=*/true).leave("f").walk();
  ASSERT_EQ(failed.conditions.size(), 1u);
  EXPECT_FALSE(failed.operations[0].written);
  EXPECT_EQ(other.terms.evaluate(failed.conditions[0].holds, {{*failed.operations[0].read, 5}}), 0u);
}

TEST(Walker, WhoLosesTheWayHoldsAllThatWasRead) {
  TinyRun run(kBranch);
  // After the load the run does something that the program does not do there.
  const ThreadTrace& trace = run.enter("f").load(1, kX, 4, 7).store(5, kY, 4, 8).leave("f").walk();
  EXPECT_EQ(run.statistics.lost, 1u);
  ASSERT_EQ(run.statistics.reasons.size(), 1u);
  ASSERT_EQ(trace.operations.size(), 2u) << "operations are there all the same";
  ASSERT_EQ(trace.conditions.size(), 1u);
  EXPECT_EQ(run.terms.evaluate(trace.conditions[0].holds, {{*trace.operations[0].read, 6}}), 0u);
  EXPECT_EQ(run.terms.observed(*trace.operations[1].written), 8u);
}

TEST(Walker, AValueThatTheRunDidNotComputeEndsTheWalk) {
  TinyRun run(kBranch);
  run.record_values({2});
  run.enter("f").load(1, kX, 4, 7).value(2, 9).branch(4, 0).store(5, kY, 4, 9).leave("f").walk();
  EXPECT_EQ(run.statistics.lost, 1u) << "7 + 1 is not 9";
}

}  // namespace
}  // namespace heddle::symbolic
