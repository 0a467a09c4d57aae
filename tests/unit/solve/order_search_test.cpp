// SPDX-License-Identifier: Apache-2.0
//
// The solver rarely gets as far as the SAT solver on small problems; here it is
// asked directly, and trials too, from the same saturated state.
#include "solve/order_search.h"

#include <gtest/gtest.h>

#include "brute_force.h"
#include "random_problem.h"
#include "solve/trials.h"
#include "trace_problem.h"

namespace heddle::solve {
namespace {

TEST(OrderSearch, AgreesWithBruteForceOnWhatIsOpen) {
  RandomProblem random(4);
  Saturation saturation;
  GuidedOrder guided;
  OrderSearch search;
  Trials trials;
  uint32_t orders = 0, none = 0;
  for (uint32_t i = 0; i < 9000; ++i) {
    const uint32_t events = 4 + i % 3;
    const OrderProblem problem = random.make(events, events * (i % 10));
    if (!saturation.run(problem)) continue;
    const bool possible = BruteForce::try_all(problem, [](const auto&, const auto&, bool) {});
    const bool guessed = guided.run(problem, saturation);
    ASSERT_LE(guessed, possible) << "problem " << i;
    const Answer::Kind kind = search.run(problem, saturation, guided.order(), {});
    ASSERT_EQ(kind, possible ? Answer::Kind::kOrder : Answer::Kind::kNone) << "problem " << i;
    if (possible) ASSERT_TRUE(is_valid_order(problem, search.order(), search.choices())) << "problem " << i;
    if (guessed) continue;
    const Trials::Outcome outcome = trials.run(problem, saturation, guided);
    ASSERT_EQ(outcome, possible ? Trials::Outcome::kOrder : Trials::Outcome::kNone) << "problem " << i;
    if (possible) ASSERT_TRUE(is_valid_order(problem, guided.order(), guided.choices())) << "problem " << i;
    ++(possible ? orders : none);
  }
  EXPECT_GT(orders, 300u);
  EXPECT_GT(none, 300u);
}

TEST(OrderSearch, AgreesWithTrialsOnTraces) {
  Saturation saturation;
  GuidedOrder guided;
  OrderSearch search;
  Trials trials;
  uint32_t orders = 0, none = 0, gave_up = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    TraceShape shape;
    shape.events = 30 + seed % 150;
    shape.threads = 4;
    shape.places = 3 + seed % 8;
    shape.locks = 3;
    shape.store_buffers = seed % 2 == 1;
    const auto problem = RandomTrace(shape, seed).query();
    if (!problem || !saturation.run(*problem) || guided.run(*problem, saturation)) continue;
    const Answer::Kind kind = search.run(*problem, saturation, guided.order(), {});
    if (kind == Answer::Kind::kOrder) ASSERT_TRUE(is_valid_order(*problem, search.order())) << "seed " << seed;
    switch (trials.run(*problem, saturation, guided)) {
      case Trials::Outcome::kOrder:
        ASSERT_EQ(kind, Answer::Kind::kOrder) << "seed " << seed;
        ASSERT_TRUE(is_valid_order(*problem, guided.order())) << "seed " << seed;
        ++orders;
        break;
      case Trials::Outcome::kNone:
        ASSERT_EQ(kind, Answer::Kind::kNone) << "seed " << seed;
        ++none;
        break;
      case Trials::Outcome::kGaveUp:
        // What it proved until then must not lose or gain solutions.
        ASSERT_EQ(search.run(*problem, saturation, guided.order(), {}), kind) << "seed " << seed;
        ++gave_up;
        break;
    }
  }
  EXPECT_GT(orders, 50u);
  EXPECT_GT(none, 10u);
  EXPECT_GT(gave_up, 0u);
}

// Every single clause can be met; only cycles of twelve edges show that not all can.
TEST(OrderSearch, LearnsFromLongCycles) {
  constexpr uint32_t kEvents = 12;
  OrderProblem problem;
  problem.events = kEvents;
  problem.choices = 1;
  // Either way of the choice closes the ring 0 < 1 < ... < 11 < 0, or its reverse.
  for (Event event = 0; event < kEvents; ++event) {
    const Event next = (event + 1) % kEvents;
    problem.clauses.push_back({Literal::choice(0, true), Literal::before(event, next)});
    problem.clauses.push_back({Literal::choice(0, false), Literal::before(next, event)});
  }
  Saturation saturation;
  GuidedOrder guided;
  OrderSearch search;
  ASSERT_TRUE(saturation.run(problem));
  guided.run(problem, saturation);
  EXPECT_EQ(search.run(problem, saturation, guided.order(), {}), Answer::Kind::kNone);
  problem.clauses.pop_back();  // now the reverse ring is open at one place
  ASSERT_TRUE(saturation.run(problem));
  guided.run(problem, saturation);
  ASSERT_EQ(search.run(problem, saturation, guided.order(), {}), Answer::Kind::kOrder);
  EXPECT_TRUE(is_valid_order(problem, search.order(), search.choices()));
  EXPECT_TRUE(search.choices()[0]);
}

}  // namespace
}  // namespace heddle::solve
