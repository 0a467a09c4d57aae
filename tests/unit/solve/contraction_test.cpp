// SPDX-License-Identifier: Apache-2.0
//
// Events that concern nobody are put into problems whose answer brute force
// knows. The smaller problem must have the same answer, and each of its orders,
// with those events in it again, must be one of the larger problem.
#include "solve/contraction.h"

#include <gtest/gtest.h>

#include <random>

#include "brute_force.h"
#include "random_problem.h"

namespace heddle::solve {
namespace {

// Chains behind events, some of which lead to an event that had to come later anyway.
OrderProblem with_bystanders(OrderProblem problem, std::mt19937& random) {
  const std::vector<Edge> edges = problem.edges;
  const uint32_t wanted = 3 * problem.events;
  const auto draw = [&](size_t below) { return static_cast<uint32_t>(random() % below); };
  while (problem.events < wanted) {
    const bool is_between = !edges.empty() && draw(2);
    const Edge way = is_between ? edges[draw(edges.size())] : Edge{draw(problem.events), kNoEvent};
    Event last = way.before;
    for (uint32_t length = 1 + draw(3); length > 0; --length) {
      problem.edges.push_back({last, problem.events});
      last = problem.events++;
    }
    if (is_between) problem.edges.push_back({last, way.after});
  }
  std::shuffle(problem.edges.begin(), problem.edges.end(), random);
  problem.hint.clear();
  return problem;
}

TEST(Contraction, KeepsTheAnswerAndItsOrders) {
  RandomProblem problems(11);
  std::mt19937 random(11);
  Contraction contraction(0);
  uint32_t possible = 0, impossible = 0;
  for (uint32_t i = 0; i < 1500; ++i) {
    const uint32_t events = 3 + i % 3;
    const OrderProblem problem = problems.make(events, events * (i % 6));
    const OrderProblem larger = with_bystanders(problem, random);
    const bool expected = BruteForce::try_all(problem, [](const auto&, const auto&, bool) {});
    if (!contraction.run(larger)) {
      ASSERT_FALSE(expected) << "problem " << i << ": only edges in a circle are left alone";
      continue;
    }
    ASSERT_LE(contraction.problem().events, events) << "problem " << i;
    const bool found =
        BruteForce::try_all(contraction.problem(), [&](const auto& order, const auto& choices, bool valid) {
          if (valid) EXPECT_TRUE(is_valid_order(larger, contraction.expand(order), choices)) << "problem " << i;
        });
    ASSERT_EQ(found, expected) << "problem " << i;
    ++(found ? possible : impossible);
  }
  EXPECT_GT(possible, 300u);
  EXPECT_GT(impossible, 300u);
}

TEST(Contraction, LeavesSmallProblemsAlone) {
  OrderProblem problem;
  problem.events = 200;
  for (Event event = 1; event < problem.events; ++event) problem.edges.push_back({event - 1, event});
  EXPECT_FALSE(Contraction().run(problem));
  EXPECT_TRUE(Contraction(0).run(problem));
}

}  // namespace
}  // namespace heddle::solve
