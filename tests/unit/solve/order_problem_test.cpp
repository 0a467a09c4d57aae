// SPDX-License-Identifier: Apache-2.0
//
// One small problem per rule, for both solvers, and what the interface promises.
#include "solve/order_problem.h"

#include <gtest/gtest.h>
#include <z3++.h>

#include "random_problem.h"
#include "trace_problem.h"

namespace heddle::solve {
namespace {

class EachSolver : public testing::TestWithParam<bool> {
 protected:
  Answer::Kind kind(const OrderProblem& problem) {
    const auto solver = GetParam() ? make_native_solver() : make_z3_solver();
    const Answer answer = solver->solve(problem);
    if (answer.kind == Answer::Kind::kOrder) EXPECT_TRUE(is_valid_order(problem, answer.order, answer.choices));
    return answer.kind;
  }
  static constexpr Answer::Kind kOrder = Answer::Kind::kOrder, kNone = Answer::Kind::kNone;
};

INSTANTIATE_TEST_SUITE_P(OrderProblem, EachSolver, testing::Values(true, false),
                         [](const auto& name) { return name.param ? "Native" : "Z3"; });

TEST_P(EachSolver, EdgesMustNotFormACycle) {
  EXPECT_EQ(kind({}), kOrder);
  EXPECT_EQ(kind({.events = 3, .edges = {{0, 1}, {1, 2}}}), kOrder);
  EXPECT_EQ(kind({.events = 3, .edges = {{0, 1}, {1, 2}, {2, 0}}}), kNone);
  EXPECT_EQ(kind({.events = 1, .edges = {{0, 0}}}), kNone);
}

TEST_P(EachSolver, ReadTakesTheLastWrite) {
  // 0 writes, then 1 writes another value, then 2 reads.
  OrderProblem problem{.events = 3, .edges = {{0, 1}, {1, 2}}};
  problem.reads = {{.read = 2, .sources = {1}, .others = {0}}};
  EXPECT_EQ(kind(problem), kOrder);
  problem.reads = {{.read = 2, .sources = {0}, .others = {1}}};
  EXPECT_EQ(kind(problem), kNone);
  problem.edges = {{0, 2}};  // now 1 may go first
  EXPECT_EQ(kind(problem), kOrder);
  problem.reads = {{.read = 2, .others = {0, 1}, .initial_matches = true}};
  EXPECT_EQ(kind(problem), kNone);
}

TEST_P(EachSolver, ReadModifyWritesDoNotShareASource) {
  OrderProblem problem{.events = 2};
  problem.reads = {{.read = 0, .others = {0, 1}, .initial_matches = true},
                   {.read = 1, .others = {0, 1}, .initial_matches = true}};
  EXPECT_EQ(kind(problem), kNone);
  problem.reads[1] = {.read = 1, .sources = {0, 1}};
  EXPECT_EQ(kind(problem), kOrder);
}

// x=1; a=x; b=y against y=1; c=y; d=x with a=c=1 and b=d=0. Only a read that
// takes the value of its own store before that reaches memory allows it.
TEST_P(EachSolver, OwnStoresForward) {
  enum : Event { kX, kA, kB, kY, kC, kD };
  OrderProblem problem{.events = 6, .edges = {{kA, kB}, {kC, kD}}};
  problem.reads = {{.read = kA, .sources = {kX}, .own_store = kX, .own_store_matches = true},
                   {.read = kB, .others = {kY}, .initial_matches = true},
                   {.read = kC, .sources = {kY}, .own_store = kY, .own_store_matches = true},
                   {.read = kD, .others = {kX}, .initial_matches = true}};
  EXPECT_EQ(kind(problem), kOrder);
  for (Read& read : problem.reads) read.own_store = kNoEvent;
  EXPECT_EQ(kind(problem), kNone);
}

TEST_P(EachSolver, OwnStoreWithAnotherValueMustReachMemoryFirst) {
  // 1 reads after the own store 0 was issued, and wants the value of 2.
  OrderProblem problem{.events = 3};
  problem.reads = {{.read = 1, .sources = {2}, .others = {0}, .own_store = 0}};
  EXPECT_EQ(kind(problem), kOrder);
  problem.edges = {{1, 0}};
  EXPECT_EQ(kind(problem), kNone);
}

TEST_P(EachSolver, SectionsExcludeEachOther) {
  // 1 is inside the section 0..2 and wants what 4 writes inside of 3..5.
  OrderProblem problem{.events = 6, .edges = {{0, 1}, {1, 2}, {3, 4}, {4, 5}}};
  problem.locks = {{{{0, 2, false}, {3, 5, false}}}};
  problem.reads = {{.read = 1, .sources = {4}}};
  EXPECT_EQ(kind(problem), kOrder);
  problem.edges.push_back({0, 4});
  EXPECT_EQ(kind(problem), kNone);
  for (Section& section : problem.locks[0].sections) section.shared = true;
  EXPECT_EQ(kind(problem), kOrder);
}

TEST_P(EachSolver, OpenSectionComesLast) {
  OrderProblem problem{.events = 3, .edges = {{1, 2}}};
  problem.locks = {{{{0, kNoEvent, false}, {1, 2, false}}}};
  EXPECT_EQ(kind(problem), kOrder);
  problem.edges.push_back({0, 2});
  EXPECT_EQ(kind(problem), kNone);
  problem.edges.pop_back();
  problem.locks[0].sections.push_back({1, kNoEvent, false});
  EXPECT_EQ(kind(problem), kNone);
}

TEST_P(EachSolver, ClausesMixOrderAndChoices) {
  OrderProblem problem{.events = 2, .choices = 1};
  problem.clauses = {{Literal::choice(0), Literal::before(0, 1)},
                     {Literal::choice(0).negated(), Literal::before(0, 1)}};
  EXPECT_EQ(kind(problem), kOrder);
  problem.edges = {{1, 0}};
  EXPECT_EQ(kind(problem), kNone);
  problem.clauses = {{}};
  EXPECT_EQ(kind(problem), kNone);
}

TEST(OrderProblem, HintDecidesWhereNothingElseDoes) {
  const OrderProblem problem{.events = 4, .edges = {{0, 1}}, .hint = {3, 1, 2, 0}};
  EXPECT_EQ(make_native_solver()->solve(problem).order, (std::vector<Event>{3, 2, 0, 1}));
}

// What a solver answers depends on the problem only, though it keeps memory.
TEST(OrderProblem, AnswersDoNotDependOnEarlierProblems) {
  const auto used = make_native_solver();
  RandomProblem random(5);
  for (uint64_t i = 0; i < 300; ++i) {
    TraceShape shape;
    shape.events = 20 + i * 7 % 180;
    const OrderProblem problem = i % 2 == 0 ? random.make(1 + i % 30) : RandomTrace(shape, i).forgotten();
    const Answer one = used->solve(problem), two = make_native_solver()->solve(problem);
    ASSERT_EQ(one.kind, two.kind);
    ASSERT_EQ(one.order, two.order);
    ASSERT_EQ(one.choices, two.choices);
  }
}

TEST(OrderProblem, LargeTracesAreOrderedAgain) {
  const auto solver = make_native_solver();
  for (uint64_t seed = 0; seed < 6; ++seed) {
    TraceShape shape{.events = 1500, .threads = 8, .places = 60, .values = 4, .locks = 6};
    shape.private_percent = 50;
    shape.store_buffers = seed % 2 == 1;
    const OrderProblem problem = RandomTrace(shape, seed).forgotten();
    const Answer answer = solver->solve(problem);
    ASSERT_EQ(answer.kind, Answer::Kind::kOrder) << "seed " << seed;
    ASSERT_TRUE(is_valid_order(problem, answer.order)) << "seed " << seed;
  }
  EXPECT_LT(solver->statistics().decided_without_search, 6u);  // the SAT solver had its share
}

TEST(OrderProblem, BudgetEndsASearch) {
  TraceShape shape{.events = 600, .threads = 8, .places = 8, .values = 3, .locks = 3};
  const OrderProblem problem = RandomTrace(shape, 1).forgotten();
  const auto solver = make_native_solver({.seconds = 0});
  EXPECT_EQ(solver->solve(problem).kind, Answer::Kind::kUnknown);
  EXPECT_EQ(solver->statistics().unknown, 1u);
}

TEST(OrderProblem, SmtlibTextMeansTheSame) {
  RandomProblem random(6);
  const auto solver = make_native_solver();
  z3::context context;
  uint32_t possible = 0;
  for (uint32_t i = 0; i < 100; ++i) {
    const OrderProblem problem = random.make(1 + i % 8);
    z3::solver z3(context);
    z3.from_string(to_smtlib(problem).c_str());
    const Answer::Kind kind = solver->solve(problem).kind;
    ASSERT_EQ(z3.check(), kind == Answer::Kind::kOrder ? z3::sat : z3::unsat) << to_smtlib(problem);
    possible += kind == Answer::Kind::kOrder;
  }
  EXPECT_GT(possible, 20u);
  EXPECT_LT(possible, 80u);
}

TEST(OrderProblem, SmtlibTextIsReadable) {
  OrderProblem problem{.events = 3, .edges = {{0, 1}}, .choices = 1};
  problem.reads = {{.read = 1, .sources = {2}, .others = {0}, .initial_matches = true}};
  problem.clauses = {{Literal::choice(0, false), Literal::before(2, 0)}};
  EXPECT_EQ(to_smtlib(problem),
            "; An order problem: eN is the place of event N, cN a choice.\n"
            "(set-logic QF_IDL)\n"
            "(declare-const e0 Int)\n(declare-const e1 Int)\n(declare-const e2 Int)\n"
            "(declare-const c0 Bool)\n"
            "; edges\n(assert (< e0 e1))\n"
            "; read 0\n(assert (or (< e1 e0) (and (< e2 e1) (or (< e0 e2) (< e1 e0)))))\n"
            "; clause 0\n(assert (or (not c0) (< e2 e0)))\n"
            "(check-sat)\n");
}

TEST(OrderProblemDeath, ForeignEventsEndTheProcess) {
  EXPECT_EXIT(make_native_solver()->solve({.events = 1, .edges = {{0, 1}}}), testing::ExitedWithCode(70), "own events");
}

}  // namespace
}  // namespace heddle::solve
