// SPDX-License-Identifier: Apache-2.0
#include "trace_problem.h"

#include <gtest/gtest.h>

namespace heddle::solve {
namespace {

TraceShape small_shape(uint64_t seed) {
  TraceShape shape;
  shape.events = 15 + seed % 30;
  shape.threads = 2 + seed % 4;
  shape.places = 1 + seed % 5;
  shape.values = 2 + seed % 7;
  shape.locks = seed % 3;
  shape.store_buffers = seed % 2 == 1;
  return shape;
}

TEST(TraceProblem, ObservedOrderIsASolution) {
  const auto solver = make_native_solver();
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const OrderProblem problem = RandomTrace(small_shape(seed), seed).observed();
    ASSERT_TRUE(is_valid_order(problem, problem.hint)) << "seed " << seed;
    const Answer answer = solver->solve(problem);
    ASSERT_EQ(answer.kind, Answer::Kind::kOrder) << "seed " << seed;
    ASSERT_TRUE(is_valid_order(problem, answer.order)) << "seed " << seed;
  }
}

TEST(TraceProblem, SolversAgreeOnOtherValues) {
  const auto native = make_native_solver(), z3 = make_z3_solver();
  uint32_t possible = 0, impossible = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const auto problem = RandomTrace(small_shape(seed), seed).query();
    if (!problem) continue;
    const Answer answer = native->solve(*problem), reference = z3->solve(*problem);
    ASSERT_EQ(answer.kind, reference.kind) << "seed " << seed << "\n" << to_smtlib(*problem);
    if (answer.kind == Answer::Kind::kOrder) {
      ++possible;
      ASSERT_TRUE(is_valid_order(*problem, answer.order)) << "seed " << seed;
      ASSERT_TRUE(is_valid_order(*problem, reference.order)) << "seed " << seed;
    } else {
      ++impossible;
    }
  }
  EXPECT_GT(possible, 100u);
  EXPECT_GT(impossible, 100u);
}

}  // namespace
}  // namespace heddle::solve
