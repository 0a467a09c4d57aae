// SPDX-License-Identifier: Apache-2.0
#include "brute_force.h"

#include <gtest/gtest.h>

#include "random_problem.h"

namespace heddle::solve {
namespace {

constexpr uint32_t kProblems = 4000;

TEST(BruteForce, CheckerAgreesOnEveryOrder) {
  RandomProblem random(1);
  for (uint32_t i = 0; i < kProblems / 4; ++i) {
    const OrderProblem problem = random.make(1 + i % 5);
    BruteForce::try_all(problem, [&](const std::vector<Event>& order, const std::vector<bool>& choices, bool valid) {
      ASSERT_EQ(is_valid_order(problem, order, choices), valid) << "problem " << i << "\n" << to_smtlib(problem);
    });
    if (HasFatalFailure()) return;
  }
}

void expect_agreement(OrderSolver& solver, uint64_t seed, uint32_t problems) {
  RandomProblem random(seed);
  uint32_t solvable = 0, searched = 0;
  for (uint32_t i = 0; i < problems; ++i) {
    const OrderProblem problem = random.make(1 + i % 7, i % 3 == 0 ? i % 40 : 0);
    const bool possible = BruteForce::try_all(problem, [](const auto&, const auto&, bool) {});
    const Answer answer = solver.solve(problem);
    ASSERT_EQ(answer.kind, possible ? Answer::Kind::kOrder : Answer::Kind::kNone) << "problem " << i << "\n"
                                                                                  << to_smtlib(problem);
    if (possible) {
      ASSERT_TRUE(is_valid_order(problem, answer.order, answer.choices)) << "problem " << i << "\n"
                                                                         << to_smtlib(problem);
    }
    solvable += possible;
    searched += answer.searched;
  }
  // Otherwise the problems would test little.
  EXPECT_GT(solvable, problems / 5);
  EXPECT_LT(solvable, problems * 4 / 5);
  EXPECT_GT(searched, problems / 100);
  EXPECT_EQ(solver.statistics().queries, problems);
  EXPECT_EQ(solver.statistics().decided_without_search, problems - searched);
}

TEST(BruteForce, NativeSolverAgrees) { expect_agreement(*make_native_solver(), 2, kProblems); }

TEST(BruteForce, Z3SolverAgrees) { expect_agreement(*make_z3_solver(), 3, kProblems / 4); }

}  // namespace
}  // namespace heddle::solve
