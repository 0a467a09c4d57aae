// SPDX-License-Identifier: Apache-2.0
//
// How many classes of executions well-known programs have, by brute force that
// others did; and that the search loses nothing by taking steps alone.
#include <gtest/gtest.h>

#include "oracle/brute_force.h"
#include "oracle/generate.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

using Block = std::vector<Operation>;
constexpr MemoryModel kModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso};

Block joined(const std::vector<Block>& blocks) {
  Block all;
  for (const Block& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

// if (register == value) { block }, with unequal: !=
Block when(int source, uint64_t value, const Block& block, bool equal = true) {
  return joined({{branch(source, value, static_cast<int>(block.size()), equal)}, block});
}

void expect_classes(const Program& program, size_t sc, size_t tso, size_t pso) {
  EXPECT_EQ(brute_force(program, MemoryModel::kSc).classes, sc);
  EXPECT_EQ(brute_force(program, MemoryModel::kTso).classes, tso);
  EXPECT_EQ(brute_force(program, MemoryModel::kPso).classes, pso);
}

// Each of two threads increments n times, without lock; main reads the sum.
Program counter(int n) {
  Block increments;
  for (int round = 0; round < n; ++round) {
    increments.push_back(load(0, 0));
    increments.push_back(store_sum(0, 0, 1));
  }
  Program program = with_main({increments, increments});
  program.threads[0].operations.push_back(load(0, 0));
  number_operations(program);
  return program;
}

TEST(OracleClasses, Counter) {
  expect_classes(counter(3), 87, 87, 87);
  EXPECT_EQ(brute_force(counter(4), MemoryModel::kSc).classes, 533u);
}

TEST(OracleClasses, ThreeWritersThreeReaders) {
  Program program =
      with_main({{store(0, 1)}, {store(8, 1)}, {store(16, 1)}, {load(0, 0)}, {load(0, 8)}, {load(0, 16)}});
  expect_classes(program, 8, 8, 8);
}

// Every wait looks twice and then gives up. A block that goes on with the
// algorithm stands last, or tests registers that the other block leaves alone.
TEST(OracleClasses, Dekker) {
  constexpr int turn = 16, section = 24;
  const auto thread = [&](uint64_t me, int mine, int other) {
    const Block enter = {store(section, me), load(5, section), store(turn, 1 - me), store(mine, 0)};
    const auto give_way = [&](int first, int second, const Block& then) {
      return joined({{store(mine, 0), load(first, turn)},
                     when(first, me, then),
                     when(first, me, joined({{load(second, turn)}, when(second, me, then)}), false)});
    };
    const auto round = [&](const Block& busy) {
      return joined({{load(0, other)}, when(0, 0, enter), when(0, 0, busy, false)});
    };
    const Block second = round(joined({{load(2, turn)}, when(2, me, give_way(4, 0, {store(mine, 1)}), false)}));
    const Block first = round(joined({{load(1, turn)},
                                      when(1, me, second),
                                      when(1, me, give_way(3, 4, joined({{store(mine, 1)}, second})), false)}));
    return joined({{store(mine, 1)}, first});
  };
  expect_classes(with_main({thread(0, 0, 8), thread(1, 8, 0)}), 16, 18, 24);
}

TEST(OracleClasses, Peterson) {
  constexpr int turn = 16, section = 24;
  const auto thread = [&](uint64_t me, int mine, int other) {
    const Block enter = {store(section, me), load(5, section), store(mine, 0)};
    const auto round = [&](int theirs, int whose, const Block& otherwise) {
      const Block look = joined({{load(whose, turn)}, when(whose, me, enter), when(whose, me, otherwise, false)});
      return joined({{load(theirs, other)}, when(theirs, 0, enter), when(theirs, 0, look, false)});
    };
    return joined({{store(mine, 1), store(turn, 1 - me)}, round(0, 1, round(2, 3, {}))});
  };
  expect_classes(with_main({thread(0, 0, 8), thread(1, 8, 0)}), 18, 28, 34);
}

TEST(OracleClasses, Loop) {
  constexpr int x = 0, y = 8, z = 16;
  const auto program = [&](int n) {
    Block writer, reader;
    for (int round = 0; round < n; ++round) {
      writer = joined({writer, {store(z, 0), store(x, 0), store(y, 0), store(x, 2), store(y, 3), store(z, 1)}});
      reader = joined({reader, {load(0, z)}, when(0, 1, {load(1, x), load(2, y)})});
    }
    return with_main({writer, reader});
  };
  expect_classes(program(2), 16, 16, 25);
}

TEST(OracleClasses, LockedAccountWithOneForgottenLock) {
  // Comparison with the funds is left out: they suffice in every schedule.
  const auto change = [](uint64_t amount) { return Block{load(0, 0), store_sum(0, 0, amount)}; };
  const auto locked = [&](uint64_t amount) { return joined({{lock()}, change(amount), {unlock()}}); };
  const auto minus = [](uint64_t amount) { return uint64_t{1} + ~amount; };
  Program program = with_main({locked(10), locked(20), locked(minus(5)), change(minus(7))});
  program.threads[0].operations.insert(program.threads[0].operations.begin(), store(0, 100));
  program.threads[0].operations.push_back(load(0, 0));
  number_operations(program);
  expect_classes(program, 78, 78, 78);
}

TEST(OracleClasses, TakingStepsAloneLosesNothing) {
  Limits all;
  all.shorten = false;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const Program program = generate(seed, {9, 3, 9});
    for (const MemoryModel model : kModels) {
      const Truth shortened = brute_force(program, model), full = brute_force(program, model, all);
      ASSERT_TRUE(shortened.within_limits && full.within_limits) << to_text(program);
      ASSERT_LE(shortened.states, full.states);
      ASSERT_EQ(shortened.outcomes, full.outcomes) << to_text(program);
      ASSERT_EQ(shortened.classes, full.classes) << to_text(program);
      ASSERT_EQ(shortened.deadlock, full.deadlock) << to_text(program);
      ASSERT_EQ(shortened.failing_assertions, full.failing_assertions) << to_text(program);
    }
  }
}

TEST(OracleClasses, WeakerModelsOnlyAdd) {
  size_t more = 0;
  for (uint64_t seed = 1000; seed < 1400; ++seed) {
    const Program program = generate(seed, size_for(12));
    const Truth sc = brute_force(program, MemoryModel::kSc), tso = brute_force(program, MemoryModel::kTso),
                pso = brute_force(program, MemoryModel::kPso);
    ASSERT_TRUE(pso.within_limits) << to_text(program);
    for (const Outcome& outcome : sc.outcomes) ASSERT_TRUE(tso.outcomes.contains(outcome)) << to_text(program);
    for (const Outcome& outcome : tso.outcomes) ASSERT_TRUE(pso.outcomes.contains(outcome)) << to_text(program);
    ASSERT_LE(sc.deadlock, tso.deadlock) << to_text(program);
    more += pso.outcomes.size() > sc.outcomes.size();
  }
  EXPECT_GT(more, 5u) << "hardly any program shows a store buffer";
}

TEST(OracleClasses, ALimitIsSaid) {
  Limits few;
  few.states = 10;
  EXPECT_FALSE(brute_force(counter(3), MemoryModel::kSc, few).within_limits);
}

}  // namespace
}  // namespace heddle::oracle
