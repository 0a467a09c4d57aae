// SPDX-License-Identifier: Apache-2.0
#include "reproduce/explanation.h"

#include <gtest/gtest.h>

#include <random>

#include "brute_force.h"
#include "hand_made_run.h"
#include "reproduce/machine.h"
#include "reproduce/system.h"
#include "reproduce/trials.h"

namespace heddle::reproduce {
namespace {

using schedule::MemoryModel;
using solve::Op;
using solve::Term;

constexpr uint64_t kX = 0x1000, kY = 0x2000, kZ = 0x3000, kMutex = 0x4000, kCondition = 0x5000;

Explanation solve_alone(const FailingRun& run, MemoryModel model = MemoryModel::kSc,
                        Constraints constraints = Constraints::kClap) {
  ExplanationOptions options;
  options.memory = model;
  options.constraints = constraints;
  options.trials = 0;
  options.explores = false;
  return explain(run, options);
}

Explanation explore_alone(const FailingRun& run) {
  ExplanationOptions options;
  options.trials = 0;
  const Explanation answer = explain(run, options);
  EXPECT_EQ(answer.statistics.rounds, 0u) << "a small run needs no solver";
  return answer;
}

// Performs the order on a machine of its own.
bool comes_true(const FailingRun& run, const Explanation& explanation, MemoryModel model) {
  Machine machine(run, model);
  for (const OrderStep& step : explanation.order) {
    if (step.is_flush) {
      if (!machine.can_flush(step.operation.thread, step.operation.index)) return false;
      machine.flush(step.operation.thread, step.operation.index);
    } else {
      if (!machine.can_step(step.operation.thread) || machine.position(step.operation.thread) != step.operation.index)
        return false;
      machine.step(step.operation.thread);
    }
  }
  return machine.broken().empty();
}

// Two threads add one to x; the last reader finds `sum`.
HandMadeRun two_increments(uint64_t sum, bool locked) {
  HandMadeRun made(3);
  for (const uint32_t t : {1u, 2u}) {
    if (locked) made.lock(t, kMutex);
    made.write(t, kX, made.run.terms.add(made.read(t, kX), made.number(1)));
    if (locked) made.unlock(t, kMutex);
  }
  made.join(0, 1);
  made.join(0, 2);
  made.require(0, made.run.terms.eq(made.read(0, kX), made.number(sum)));
  return made;
}

TEST(Explanation, FindsALostUpdate) {
  for (const uint64_t sum : {1u, 2u}) {
    const HandMadeRun made = two_increments(sum, false);
    const Explanation found = solve_alone(made.run);
    ASSERT_EQ(found.kind, Explanation::Kind::kFound) << found.reason;
    EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kSc));
    EXPECT_FALSE(found.by_trial);
  }
}

TEST(Explanation, KnowsThatLocksExclude) {
  EXPECT_EQ(solve_alone(two_increments(1, true).run).kind, Explanation::Kind::kImpossible);
  EXPECT_EQ(solve_alone(two_increments(2, true).run).kind, Explanation::Kind::kFound);
}

TEST(Explanation, TriesAtRandomBeforeItSolves) {
  const HandMadeRun made = two_increments(1, false);
  ExplanationOptions options;
  options.explores = false;
  const Explanation found = explain(made.run, options);
  ASSERT_EQ(found.kind, Explanation::Kind::kFound);
  EXPECT_TRUE(found.by_trial);
  EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kSc));
}

// The example of figure 6.1: z may overtake y only under PSO.
HandMadeRun overtaking() {
  HandMadeRun made(2);
  made.write(1, kX, made.number(1));
  made.write(1, kY, made.number(2));
  made.write(1, kZ, made.number(1));
  solve::Terms& terms = made.run.terms;
  made.require(0, terms.eq(made.read(0, kZ), made.number(1)));
  const Term x = made.read(0, kX), y = made.read(0, kY);
  made.require(0, terms.complement(terms.eq(terms.add(x, made.number(1)), y)));
  return made;
}

TEST(Explanation, StoresOvertakeUnderPsoOnly) {
  const HandMadeRun made = overtaking();
  EXPECT_EQ(solve_alone(made.run, MemoryModel::kSc).kind, Explanation::Kind::kImpossible);
  EXPECT_EQ(solve_alone(made.run, MemoryModel::kTso).kind, Explanation::Kind::kImpossible);
  const Explanation found = solve_alone(made.run, MemoryModel::kPso);
  ASSERT_EQ(found.kind, Explanation::Kind::kFound) << found.reason;
  EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kPso));
}

TEST(Explanation, BuffersForwardUnderTso) {
  HandMadeRun made(2);  // both read their own store, and the other's old value
  for (const uint32_t t : {0u, 1u}) {
    made.write(t, t ? kY : kX, made.number(1));
    made.require(t, made.run.terms.eq(made.read(t, t ? kY : kX), made.number(1)));
    made.require(t, made.run.terms.eq(made.read(t, t ? kX : kY), made.number(0)));
  }
  EXPECT_EQ(solve_alone(made.run, MemoryModel::kSc).kind, Explanation::Kind::kImpossible);
  const Explanation found = solve_alone(made.run, MemoryModel::kTso);
  ASSERT_EQ(found.kind, Explanation::Kind::kFound) << found.reason;
  EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kTso));
}

TEST(Explanation, AWaitNeedsASignalOfItsOwn) {
  for (const uint32_t signals : {1u, 2u}) {
    HandMadeRun made(3);
    for (const uint32_t t : {1u, 2u}) {
      made.lock(t, kMutex);
      made.synchronise(t, HEDDLE_COND_WAIT, kCondition, kMutex);
      made.synchronise(t, HEDDLE_COND_RESUME, kCondition, kMutex);
      made.unlock(t, kMutex);
    }
    for (uint32_t i = 0; i < signals; ++i) made.synchronise(0, HEDDLE_COND_SIGNAL, kCondition);
    const Explanation found = solve_alone(made.run);
    EXPECT_EQ(found.kind, signals == 1 ? Explanation::Kind::kImpossible : Explanation::Kind::kFound);
    if (signals == 2) EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kSc));
    EXPECT_EQ(explore_alone(made.run).kind, found.kind);
  }
}

// Addresses that depend on reads: two threads take the same slot of a buffer.
TEST(Explanation, FollowsAddressesThatWereRead) {
  HandMadeRun made(3);
  solve::Terms& terms = made.run.terms;
  made.run.objects = {{kX, 4}, {kY, 64}};
  for (const uint32_t t : {1u, 2u}) {
    const Term slot = made.read(t, kX);
    const Term wide = terms.extend(Op::kZext, slot, 64);
    made.write(t, terms.add(made.number(kY, 64), terms.apply(Op::kMul, wide, made.number(4, 64))), made.number(10 + t));
    made.write(t, kX, terms.add(slot, made.number(1)));
  }
  made.join(0, 1);
  made.join(0, 2);
  made.require(0, terms.eq(made.read(0, kY), made.number(11)));
  made.require(0, terms.eq(made.read(0, kY + 4), made.number(0)));
  const Explanation found = solve_alone(made.run);
  ASSERT_EQ(found.kind, Explanation::Kind::kFound) << found.reason;
  EXPECT_TRUE(comes_true(made.run, found, MemoryModel::kSc));
}

TEST(Explanation, TheOrderOfACoreBinds) {
  HandMadeRun made(3);
  made.write(1, kX, made.number(1));
  made.write(2, kX, made.number(2));
  made.join(0, 1);
  made.join(0, 2);
  made.require(0, made.run.terms.eq(made.read(0, kX), made.number(1)));
  made.run.cores = {{{1, 1}, {2, 1}}};
  EXPECT_EQ(solve_alone(made.run, MemoryModel::kSc, Constraints::kClap).kind, Explanation::Kind::kFound);
  EXPECT_EQ(solve_alone(made.run, MemoryModel::kSc, Constraints::kH3).kind, Explanation::Kind::kImpossible);
}

TEST(Explanation, TheClockBinds) {
  HandMadeRun made(3);
  made.write(1, kX, made.number(1));
  made.write(1, kY, made.number(1));
  made.require(2, made.run.terms.eq(made.read(2, kX), made.number(0)));
  made.require(2, made.run.terms.eq(made.read(2, kX), made.number(1)));
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso}) {
    made.run.timed = {{{1, 1}, {2, 2}}};  // the store, and then the second read: says nothing against it
    EXPECT_EQ(solve_alone(made.run, model).kind, Explanation::Kind::kFound);
    made.run.timed = {{{1, 2}, {2, 1}}};  // both stores, also in memory, and then the first read
    EXPECT_EQ(solve_alone(made.run, model).kind, Explanation::Kind::kImpossible);
    EXPECT_EQ(explain(made.run, {.memory = model}).kind, Explanation::Kind::kImpossible);
  }
}

// Each round of a thread depends on all before it; of the many orders one fits, and the first trial has it from the
// clock.
TEST(Trials, TheFirstOneGoesByTheClock) {
  constexpr uint32_t kRounds = 20;
  HandMadeRun made(3);
  std::mt19937_64 random(7);
  uint32_t done[3] = {}, value = 0;
  made.run.about = {{0, 1}, {2}, {2}};  // creation, start
  for (uint64_t time = 10; done[1] + done[2] < 2 * kRounds; time += 10) {
    const uint32_t t = done[1] == kRounds ? 2 : done[2] == kRounds ? 1 : 1 + static_cast<uint32_t>(random() % 2);
    const Term read = made.read(t, kX);
    made.write(t, kX, made.run.terms.add(made.run.terms.apply(Op::kMul, read, made.number(3)), made.number(t)));
    made.run.about[t].insert(made.run.about[t].end(), {time, time + 1});
    value = value * 3 + t;
    ++done[t];
  }
  made.join(0, 1);
  made.join(0, 2);
  made.require(0, made.run.terms.eq(made.read(0, kX), made.number(value)));
  base::Patience patience;
  const System system(made.run, MemoryModel::kSc, false, patience);
  const auto order = Trials(system, 1).run(patience);
  ASSERT_TRUE(order.has_value());
  EXPECT_EQ(order->size(), system.steps());
  made.run.about.clear();
  EXPECT_FALSE(Trials(system, 1).run(patience).has_value());
}

// Random small programs: what they write is computed from what they read, and the
// values that some reads must have are drawn.
HandMadeRun random_run(uint64_t seed, bool with_cuts = false) {
  std::mt19937_64 random(seed);
  HandMadeRun made(3);
  solve::Terms& terms = made.run.terms;
  constexpr uint64_t places[] = {kX, kY};
  for (uint32_t t = 0; t < 3; ++t) {
    Term last = made.number(t + 1);
    const bool locks = random() % 4 == 0;
    if (locks) made.lock(t, kMutex);
    for (uint32_t i = 0; i < 2 + (t > 0); ++i) {
      const uint64_t place = places[random() % 2];
      const bool is_indexed = random() % 5 == 0;
      const Term offset =
          terms.apply(Op::kMul, terms.apply(Op::kAnd, terms.extend(Op::kZext, last, 64), made.number(1, 64)),
                      made.number(0x1000, 64));
      const Term address = is_indexed ? terms.add(made.number(kX, 64), offset) : made.number(place, 64);
      if (random() % 2) {
        last = made.read(t, address);
        if (random() % 2) made.require(t, terms.eq(last, made.number(random() % 3)));
      } else {
        made.write(t, address, terms.add(last, made.number(random() % 2)));
      }
    }
    // A thread that is cut may still hold its lock.
    if (locks && !(with_cuts && random() % 2)) made.unlock(t, kMutex);
  }
  return made;
}

// One thread is asked about; others need not come along further than they are known to have come.
TEST(Explanation, OthersMayStayBehind) {
  uint32_t found = 0, impossible = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    HandMadeRun made = random_run(seed, true);
    made.run.failing_thread = seed % 3;
    const uint32_t other = (made.run.failing_thread + 1) % 3;
    if (seed % 2)
      made.run.threads[other].certain = static_cast<uint32_t>(made.run.threads[other].operations.size()) / 2 + 1;
    const bool exists = BruteForce(made.run, MemoryModel::kSc).has_order();
    for (const Explanation& answer : {solve_alone(made.run), explore_alone(made.run)}) {
      ASSERT_EQ(answer.kind, exists ? Explanation::Kind::kFound : Explanation::Kind::kImpossible)
          << "seed " << seed << " " << answer.reason;
      if (exists) ASSERT_TRUE(comes_true(made.run, answer, MemoryModel::kSc)) << "seed " << seed;
    }
    ++(exists ? found : impossible);
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(impossible, 100u);
}

// The thread that is asked about comes first; what the other needs nobody knows yet.
TEST(Explanation, WhatComesLaterNeedNotBePossible) {
  HandMadeRun made(3);
  made.require(1, made.run.terms.eq(made.read(1, kX), made.number(0)));
  made.require(2, made.run.terms.eq(made.read(2, kX), made.number(7)));
  made.join(0, 1);
  made.run.threads[1].is_known_to_its_end = false;
  made.run.failing_thread = 1;
  EXPECT_EQ(solve_alone(made.run).kind, Explanation::Kind::kFound);
  EXPECT_EQ(explore_alone(made.run).kind, Explanation::Kind::kFound);
  made.run.failing_thread = 2;
  EXPECT_EQ(solve_alone(made.run).kind, Explanation::Kind::kImpossible);
  EXPECT_EQ(explore_alone(made.run).kind, Explanation::Kind::kImpossible);
  made.run.failing_thread = 0;  // waits for the end of a thread that goes on
  EXPECT_NE(solve_alone(made.run).kind, Explanation::Kind::kFound);
}

TEST(Explanation, AgreesWithAllInterleavings) {
  uint32_t found = 0, impossible = 0, given_up = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const HandMadeRun made = random_run(seed);
    for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso}) {
      const bool exists = BruteForce(made.run, model).has_order();
      const Explanation answer = solve_alone(made.run, model);
      // Stores to places that are not known keep their order: some orders of PSO are not looked at.
      if (model == MemoryModel::kPso && answer.kind == Explanation::Kind::kGaveUp) {
        ++given_up;
        continue;
      }
      ASSERT_EQ(answer.kind, exists ? Explanation::Kind::kFound : Explanation::Kind::kImpossible)
          << "seed " << seed << " " << memory_model_name(model) << " " << answer.reason;
      if (exists) ASSERT_TRUE(comes_true(made.run, answer, model)) << "seed " << seed;
      if (model == MemoryModel::kSc) {
        const Explanation explored = explore_alone(made.run);
        ASSERT_EQ(explored.kind, answer.kind) << "seed " << seed;
        if (exists) ASSERT_TRUE(comes_true(made.run, explored, model)) << "seed " << seed;
      }
      ++(exists ? found : impossible);
    }
  }
  EXPECT_GT(found, 300u);
  EXPECT_GT(impossible, 100u);
  EXPECT_LT(given_up, 100u);
}

// A lock that is held when the run begins: whoever wants it waits until it is given back, and sees what was written
// meanwhile.
TEST(Explanation, NothingComesBeforeTheBeginning) {
  for (const uint64_t seen : {0u, 7u}) {
    HandMadeRun made(3);
    made.run.beginning = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {1, 1}};
    made.lock(1, kMutex);
    made.write(1, kX, made.number(7));
    made.unlock(1, kMutex);
    made.lock(2, kMutex);
    const Term read = made.read(2, kX);
    made.require(2, made.run.terms.eq(read, made.number(seen)));
    made.run.failing_thread = 2;
    const auto expected = seen == 7 ? Explanation::Kind::kFound : Explanation::Kind::kImpossible;
    EXPECT_EQ(solve_alone(made.run).kind, expected);
    EXPECT_EQ(explore_alone(made.run).kind, expected);
    made.run.beginning.clear();  // without it, thread 2 may be first
    EXPECT_EQ(solve_alone(made.run).kind, Explanation::Kind::kFound);
  }
}

}  // namespace
}  // namespace heddle::reproduce
