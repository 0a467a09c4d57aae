// SPDX-License-Identifier: Apache-2.0
//
// The reversibility check against all orders of random small runs, and against
// Z3 on the whole formula.
#include <gtest/gtest.h>

#include "all_orders.h"
#include "propagate/reversibility/reversibility.h"
#include "random_trace.h"
#include "solve/order_problem.h"

namespace heddle::propagate {
namespace {

// The formula as it is printed: a variable for each event, all constraints, and
// one disjunction over all dependent pairs.
solve::OrderProblem whole_formula(const RandomRun& run) {
  solve::OrderProblem problem;
  const auto& steps = run.steps();
  problem.events = static_cast<uint32_t>(steps.size());
  problem.locks.resize(2);
  solve::Clause reversed;
  std::vector<std::vector<uint32_t>> own(run.threads());
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!own[step.thread].empty()) problem.edges.push_back({own[step.thread].back(), i});
    own[step.thread].push_back(i);
    if (step.act == Act::kUnlock) {
      auto& sections = problem.locks[step.object].sections;
      for (solve::Section& section : sections)
        if (steps[section.acquire].thread == step.thread && section.release == solve::kNoEvent) section.release = i;
    }
    if (step.act == Act::kLock || step.act == Act::kLockShared)
      problem.locks[step.object].sections.push_back({i, solve::kNoEvent, step.act == Act::kLockShared});
    for (uint32_t j = 0; j < i; ++j) {
      const bool starts = step.act == Act::kStart && steps[j].act == Act::kCreate && steps[j].object == step.thread;
      const bool joins = step.act == Act::kJoin && steps[j].act == Act::kEnd && steps[j].thread == step.object;
      const bool leaves = step.act == Act::kLeave && steps[j].act == Act::kArrive;
      if (starts || joins || leaves) problem.edges.push_back({j, i});
      if (are_dependent(steps[j], step)) reversed.push_back(solve::Literal::before(i, j));
    }
  }
  problem.clauses.push_back(reversed);
  return problem;
}

TEST(ReversibilityOracle, AgreesWithAllOrdersAndTheFormula) {
  constexpr uint32_t kWanted = 1000;
  uint32_t runs = 0, reversible = 0, kept_by_locks = 0, asked = 0;
  const auto z3 = solve::make_z3_solver();
  for (uint32_t seed = 1; runs < kWanted; ++seed) {
    const RandomRun run(seed);
    if (run.steps().empty()) continue;
    ++runs;
    const bool expected = AllOrders(run).is_reversible();
    reversible += expected;
    for (const bool is_free : {false, true}) {
      const auto result = check_reversibility(trace_of(run, is_free));
      ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
      const auto wanted = expected ? Reversibility::Verdict::kReversible : Reversibility::Verdict::kFixed;
      ASSERT_EQ(result->verdict, wanted) << "seed " << seed << (is_free ? ", free" : ", controlled")
                                         << (result->reasons.empty() ? "" : ": " + result->reasons[0]);
      kept_by_locks += !expected && result->candidates > 0;
      if (result->queries > 0) {
        const auto reference = check_reversibility(trace_of(run, is_free), {.use_z3 = true});
        ASSERT_TRUE(reference && reference->verdict == wanted) << "seed " << seed << ", by Z3";
      }
      asked += result->queries > 0;
    }
    if (runs % 4) continue;
    const solve::OrderProblem formula = whole_formula(run);
    const bool solved = !formula.clauses[0].empty() && z3->solve(formula).kind == solve::Answer::Kind::kOrder;
    ASSERT_EQ(solved, expected) << "seed " << seed;
  }
  // Enough of each kind that the test means something.
  EXPECT_GT(reversible, 200u);
  EXPECT_GT(runs - reversible, 200u);
  EXPECT_GT(kept_by_locks, 20u);
  EXPECT_GT(asked, 10u);
  RecordProperty("reversible", static_cast<int>(reversible));
  RecordProperty("kept_by_locks", static_cast<int>(kept_by_locks));
  RecordProperty("asked", static_cast<int>(asked));
}

// In few runs the plain way to an order fails although there is one.
TEST(ReversibilityOracle, TheSolverFindsOrdersThatThePlainWayMisses) {
  for (const uint32_t seed : {9776u, 12192u, 16428u, 22258u}) {
    const RandomRun run(seed);
    ASSERT_TRUE(AllOrders(run).is_reversible()) << seed;
    const auto result = check_reversibility(trace_of(run, false));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->verdict, Reversibility::Verdict::kReversible) << seed;
    EXPECT_EQ(result->queries, 1u) << seed;
  }
}

}  // namespace
}  // namespace heddle::propagate
