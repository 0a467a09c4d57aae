// SPDX-License-Identifier: Apache-2.0
//
// Terms fold, evaluate, and mean the same to the solver.
#include "solve/terms.h"

#include <gtest/gtest.h>

#include <random>

#include "solve/term_solver.h"

namespace heddle::solve {
namespace {

TEST(Terms, EqualTermsAreOne) {
  Terms terms;
  const Term x = terms.symbol(32, "x"), y = terms.symbol(32, "x");
  EXPECT_NE(x, y);
  EXPECT_EQ(terms.add(x, y), terms.add(y, x));
  EXPECT_EQ(terms.add(x, terms.constant(32, 0)), x);
  EXPECT_EQ(terms.extract(terms.extend(Op::kZext, x, 64), 0, 32), x);
  const Term low = terms.extract(x, 0, 8), high = terms.extract(x, 8, 24);
  EXPECT_EQ(terms.concat(high, low), x);
}

TEST(Terms, WhatIsConstantIsComputed) {
  Terms terms;
  const auto number = [&](uint64_t value) { return terms.constant(8, value); };
  const auto computed = [&](Op op, uint64_t one, uint64_t other) {
    return terms.value(terms.apply(op, number(one), number(other)));
  };
  EXPECT_EQ(computed(Op::kAdd, 200, 100), 44u);
  EXPECT_EQ(computed(Op::kSdiv, 0xf8, 3), 0xfeu);  // -8 / 3
  EXPECT_EQ(computed(Op::kSrem, 0xf8, 3), 0xfeu);
  EXPECT_EQ(computed(Op::kUdiv, 7, 0), 0xffu);
  EXPECT_EQ(computed(Op::kAshr, 0x80, 9), 0xffu);
  EXPECT_EQ(computed(Op::kSlt, 0xff, 0), 1u);
  EXPECT_EQ(computed(Op::kUlt, 0xff, 0), 0u);
  EXPECT_EQ(terms.value(terms.extend(Op::kSext, number(0x80), 16)), 0xff80u);
}

TEST(Terms, HaveTheValueOfTheRun) {
  Terms terms;
  const Term x = terms.symbol(32, "x", 41);
  const Term sum = terms.add(x, terms.constant(32, 1));
  EXPECT_EQ(terms.observed(sum), 42u);
  EXPECT_EQ(terms.evaluate(sum, {{x, 1}}), 2u);
  EXPECT_EQ(terms.symbols(sum), std::vector<Term>{x});
}

// A random term, evaluated here, is what the solver says it is.
TEST(Terms, MeanTheSameToTheSolver) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    Terms terms;
    std::vector<Term> pool;
    Assignment values;
    for (int i = 0; i < 3; ++i) {
      pool.push_back(terms.symbol(8, "x"));
      values[pool.back()] = random() & 0xff;
    }
    pool.push_back(terms.constant(8, random() % 4));
    for (int i = 0; i < 12; ++i) {
      const Term one = pool[random() % pool.size()], other = pool[random() % pool.size()];
      const auto op =
          static_cast<Op>(static_cast<int>(Op::kAdd) +
                          static_cast<int>(random() % (static_cast<int>(Op::kSle) - static_cast<int>(Op::kAdd) + 1)));
      if (op == Op::kNot) {
        pool.push_back(terms.complement(one));
      } else if (op >= Op::kEq) {
        pool.push_back(
            terms.ite(terms.apply(op, one, other), one, terms.extend(Op::kSext, terms.extract(other, 3, 4), 8)));
      } else {
        pool.push_back(terms.apply(op, one, other));
      }
    }
    const Term last = pool.back();
    const uint64_t value = terms.evaluate(last, values);
    TermSolver solver(terms);
    for (const auto& [symbol, assigned] : values)
      solver.require(solver.holds(terms.eq(symbol, terms.constant(8, assigned))));
    solver.require(solver.holds(terms.complement(terms.eq(last, terms.constant(8, value)))));
    EXPECT_EQ(solver.check(10), TermSolver::Result::kNo) << terms.text(last) << " is not " << value;
  }
}

TEST(TermSolver, PutsOrderAndValuesTogether) {
  Terms terms;
  const Term read = terms.symbol(32, "read");
  TermSolver solver(terms);
  const Event first = solver.new_event(), second = solver.new_event(), reader = solver.new_event();
  solver.require(solver.before(first, second));
  const auto finds = [&](uint64_t value) { return solver.holds(terms.eq(read, terms.constant(32, value))); };
  // It reads 3 between the two writes and 5 after both.
  solver.require(solver.any({solver.all({solver.before(first, reader), solver.before(reader, second), finds(3)}),
                             solver.all({solver.before(second, reader), finds(5)})}));
  solver.require(solver.holds(terms.apply(Op::kUlt, read, terms.constant(32, 4))));
  ASSERT_EQ(solver.check(10), TermSolver::Result::kYes);
  EXPECT_EQ(solver.value(read), 3u);
  EXPECT_EQ(solver.order(), (std::vector<Event>{first, reader, second}));
  solver.require(solver.before(second, reader));
  EXPECT_EQ(solver.check(10), TermSolver::Result::kNo);
  solver.clear();
  EXPECT_EQ(solver.check(10), TermSolver::Result::kYes);
}

}  // namespace
}  // namespace heddle::solve
