// SPDX-License-Identifier: Apache-2.0
//
// Whatever takes long ends when the time is over. Here time is the number of looks at the clock: each stage gets so few
// that it cannot come to its end if it looks as often as it should, and so many that it has to look in the middle of
// its work.
#include "base/patience.h"

#include <gtest/gtest.h>

#include "hand_made_run.h"
#include "record/recording.h"
#include "reproduce/exploration.h"
#include "reproduce/read_constraints.h"
#include "reproduce/retracing.h"
#include "reproduce/trials.h"
#include "symbolic/trace_path.h"

namespace heddle::reproduce {
namespace {

using base::Patience;
using schedule::MemoryModel;

constexpr uint64_t kPlace = 0x1000;
constexpr uint32_t kRounds = 200;
constexpr uint64_t kFew = 50;  // looks; there are more than a thousand operations

Patience few() { return Patience(Patience::kForever, nullptr, kFew); }

// Two threads write one place and read it; any order is right.
HandMadeRun long_run(uint32_t rounds = kRounds) {
  HandMadeRun made(3);
  for (uint32_t i = 0; i < rounds; ++i) {
    for (const uint32_t t : {1u, 2u}) {
      made.write(t, kPlace, made.number(i));
      made.read(t, kPlace);
    }
  }
  return made;
}

class WithLittleTime : public testing::TestWithParam<MemoryModel> {};
INSTANTIATE_TEST_SUITE_P(Models, WithLittleTime,
                         testing::Values(MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso));

TEST_P(WithLittleTime, TrialsEnd) {
  const HandMadeRun made = long_run();
  Patience enough, little = few();
  const System system(made.run, GetParam(), false, enough);
  EXPECT_TRUE(Trials(system, 1).run(enough).has_value());
  EXPECT_FALSE(Trials(system, 1).run(little).has_value());
  EXPECT_LE(little.looks(), kFew + 2);
}

TEST(Patience, RetracingEnds) {
  HandMadeRun made = long_run();
  for (Thread& thread : made.run.threads)
    for (size_t i = 1; i < thread.operations.size(); ++i)
      if (thread.operations[i].kind == HEDDLE_LOAD)
        thread.operations[i].check = record::check_of(made.run.terms.value(thread.operations[i - 1].written));
  Patience enough, little = few();
  const System system(made.run, MemoryModel::kSc, false, enough);
  EXPECT_TRUE(Retracing(system).run(enough));
  EXPECT_FALSE(Retracing(system).run(little));
}

TEST(Patience, ExplorationEnds) {
  HandMadeRun made(3);  // nobody notices anything: all is one step of the exploration
  for (const uint32_t t : {1u, 2u})
    for (uint32_t i = 0; i < kRounds; ++i) made.write(t, kPlace + 64 * t, made.number(i));
  Patience enough, little = few();
  const System system(made.run, MemoryModel::kSc, false, enough);
  EXPECT_EQ(Exploration(system).run(enough), Exploration::Outcome::kFound);
  EXPECT_EQ(Exploration(system).run(little), Exploration::Outcome::kGaveUp);
}

TEST_P(WithLittleTime, ConstraintsAreNotCountedToTheEnd) {
  const HandMadeRun made = long_run(20);
  Patience enough, little = few();
  System system(made.run, GetParam(), false, enough);
  EXPECT_NE(ReadConstraints(system, enough).count_all(), ReadConstraints::kTooMany);
  EXPECT_EQ(ReadConstraints(system, little).count_all(), ReadConstraints::kTooMany);
}

TEST_P(WithLittleTime, AReadGetsNoChoices) {
  const HandMadeRun made = long_run();
  Patience enough, little = few();
  System one(made.run, GetParam(), false, enough), other(made.run, GetParam(), false, enough);
  const OperationId last = {1, static_cast<uint32_t>(made.run.threads[1].operations.size()) - 1};
  EXPECT_TRUE(ReadConstraints(one, enough).add(last));
  EXPECT_FALSE(ReadConstraints(other, little).add(last));
}

TEST(Patience, SystemsEnd) {
  HandMadeRun made(2);  // under PSO each store is compared with those that wait
  for (uint32_t i = 0; i < kRounds; ++i) made.write(1, kPlace + 64 * i, made.number(i));
  Patience enough, little = few();
  EXPECT_EQ(System(made.run, MemoryModel::kPso, false, enough).obstacle(), "");
  EXPECT_NE(System(made.run, MemoryModel::kPso, false, little).obstacle(), "");
}

// A question whose stages end in time ends in time as well, with nothing that was not found.
TEST_P(WithLittleTime, ExplanationsGiveUp) {
  HandMadeRun made = long_run();
  made.require(1, made.run.terms.eq(made.read(1, kPlace), made.number(kRounds + 1)));  // impossible
  made.join(0, 1);
  for (const bool explores : {true, false}) {
    for (const uint64_t looks : {uint64_t{0}, kFew, 40 * kFew}) {
      ExplanationOptions options;
      options.memory = GetParam();
      options.seconds = Patience::kForever;
      options.explores = explores;
      options.trials = explores ? 1000000 : 0;
      Patience patience(Patience::kForever, nullptr, looks);
      const Explanation answer = explain(made.run, options, patience);
      EXPECT_EQ(answer.kind, Explanation::Kind::kGaveUp);
      EXPECT_LE(patience.looks(), looks + 20) << "it goes on although time is over";
    }
  }
}

TEST(Patience, SolversDoNotTakeTimeForAnAnswer) {
  solve::OrderProblem problem;
  problem.events = 300;
  for (solve::Event e = 0; e + 3 < problem.events; e += 3) {
    problem.clauses.push_back({solve::Literal::before(e, e + 1), solve::Literal::before(e, e + 2)});
    problem.clauses.push_back({solve::Literal::before(e + 1, e), solve::Literal::before(e + 2, e)});
  }
  Patience enough, little = few();
  EXPECT_EQ(solve::make_native_solver({Patience::kForever, &enough})->solve(problem).kind, solve::Answer::Kind::kOrder);
  EXPECT_EQ(solve::make_native_solver({Patience::kForever, &little})->solve(problem).kind,
            solve::Answer::Kind::kUnknown);
}

TEST(Patience, WalksEndWhereTheyAre) {
  std::vector<HeddleRecord> records(1000);
  std::vector<const HeddleRecord*> path;
  for (HeddleRecord& record : records) {
    record.kind = HEDDLE_BRANCH;
    path.push_back(&record);
  }
  Patience little = few();
  symbolic::TracePath source(path, &little);
  uint64_t taken = 0;
  while (source.way(0)) ++taken;
  EXPECT_EQ(taken, kFew);
  EXPECT_TRUE(source.has_ended());
  EXPECT_TRUE(source.rest().empty());
}

TEST(Patience, IsOverWithTheWholeAndWhenSomebodySaysSo) {
  std::atomic<bool> stop = false;
  Patience whole(Patience::kForever, &stop), part(whole, Patience::kForever), none(whole, -1);
  EXPECT_FALSE(part.is_over());
  EXPECT_TRUE(none.is_over());
  stop = true;
  EXPECT_TRUE(part.is_over());
  stop = false;
  EXPECT_TRUE(part.is_over()) << "it stays over";
}

}  // namespace
}  // namespace heddle::reproduce
