// SPDX-License-Identifier: Apache-2.0
//
// The oracle against what is known: how many outcomes the litmus shapes have
// under SC, TSO and PSO, and which of them tell the models apart.
#include <gtest/gtest.h>

#include "oracle/brute_force.h"
#include "oracle/operations.h"

namespace heddle::oracle {
namespace {

using Threads = std::vector<std::vector<Operation>>;
constexpr int x = 0, y = 8;
constexpr auto kPlain = MemoryOrder::kNotAtomic;
constexpr auto kRelaxed = MemoryOrder::kRelaxed;
constexpr auto kRelease = MemoryOrder::kRelease;
constexpr auto kAcquire = MemoryOrder::kAcquire;
constexpr auto kSequential = MemoryOrder::kSequential;

// A fence between any two operations of each thread.
Threads fenced(const Threads& threads, MemoryOrder order = kSequential) {
  Threads result;
  for (const auto& operations : threads) {
    result.emplace_back();
    for (size_t place = 0; place < operations.size(); ++place) {
      if (place) result.back().push_back(fence(order));
      result.back().push_back(operations[place]);
    }
  }
  return result;
}

struct Counts {
  size_t sc, tso, pso;
  bool operator==(const Counts&) const = default;
};
void PrintTo(const Counts& counts, std::ostream* out) { *out << counts.sc << "/" << counts.tso << "/" << counts.pso; }

Counts outcomes(const Program& program) {
  return {brute_force(program, MemoryModel::kSc).outcomes.size(),
          brute_force(program, MemoryModel::kTso).outcomes.size(),
          brute_force(program, MemoryModel::kPso).outcomes.size()};
}
Counts outcomes(const Threads& threads) { return outcomes(with_main(threads)); }

// With the final values of x and y, which main reads after the joins.
Program with_final_values(const Threads& threads) {
  Program program = with_main(threads);
  program.threads[0].operations.push_back(load(0, x));
  program.threads[0].operations.push_back(load(1, y));
  number_operations(program);
  return program;
}

bool allows(const Program& program, MemoryModel model, const Outcome& wanted) {
  for (const Outcome& outcome : brute_force(program, model).outcomes) {
    bool same = true;
    for (const auto& [name, value] : wanted) same = same && outcome.at(name) == value;
    if (same) return true;
  }
  return false;
}

const Threads kStoreBuffering = {{store(x, 1), load(0, y)}, {store(y, 1), load(0, x)}};
const Threads kMessagePassing = {{store(x, 1), store(y, 1)}, {load(0, y), load(1, x)}};

TEST(OracleLitmus, StoreBuffering) {
  EXPECT_EQ(outcomes(kStoreBuffering), (Counts{3, 4, 4}));
  EXPECT_EQ(outcomes(fenced(kStoreBuffering)), (Counts{3, 3, 3}));
  EXPECT_EQ(outcomes(fenced(kStoreBuffering, MemoryOrder::kAcquireRelease)), (Counts{3, 4, 4}));
  const Threads sequential = {{store(x, 1, kSequential), load(0, y, kSequential)},
                              {store(y, 1, kSequential), load(0, x, kSequential)}};
  EXPECT_EQ(outcomes(sequential), (Counts{3, 3, 3}));
  const Threads updates = {{exchange(1, x, 1, kRelaxed), load(0, y)}, {exchange(1, y, 1, kRelaxed), load(0, x)}};
  EXPECT_EQ(outcomes(updates), (Counts{3, 3, 3}));
}

TEST(OracleLitmus, AFailedCompareExchangeDrainsTheBuffer) {
  const Threads threads = {{store(x, 1), compare_exchange(1, 16, 7, 8, kRelaxed), load(0, y)},
                           {store(y, 1), compare_exchange(1, 16, 7, 8, kRelaxed), load(0, x)}};
  EXPECT_EQ(outcomes(threads), (Counts{3, 3, 3}));
}

TEST(OracleLitmus, StoreBufferingWithForwarding) {
  const Program program = with_main({{store(x, 1), load(0, x), load(1, y)}, {store(y, 1), load(0, y), load(1, x)}});
  const Outcome relaxed = {{"t1r0", 1}, {"t1r1", 0}, {"t2r0", 1}, {"t2r1", 0}};
  EXPECT_FALSE(allows(program, MemoryModel::kSc, relaxed));
  EXPECT_TRUE(allows(program, MemoryModel::kTso, relaxed));
  EXPECT_TRUE(allows(program, MemoryModel::kPso, relaxed));
  EXPECT_EQ(outcomes(program), (Counts{3, 4, 4}));
}

TEST(OracleLitmus, MessagePassing) {
  EXPECT_EQ(outcomes(kMessagePassing), (Counts{3, 3, 4}));
  EXPECT_EQ(outcomes(fenced(kMessagePassing)), (Counts{3, 3, 3}));
  EXPECT_EQ(outcomes(fenced(kMessagePassing, kRelease)), (Counts{3, 3, 3}));
  EXPECT_EQ(outcomes(fenced(kMessagePassing, kAcquire)), (Counts{3, 3, 4}));
  EXPECT_EQ(outcomes({{store(x, 1), store(y, 1, kRelease)}, {load(0, y, kAcquire), load(1, x)}}), (Counts{3, 3, 3}));
  EXPECT_EQ(outcomes({{store(x, 1), store(y, 1, kRelaxed)}, {load(0, y, kAcquire), load(1, x)}}), (Counts{3, 3, 4}));
  // The marker stands before the release store: what comes after may overtake that store, but not what was before.
  EXPECT_EQ(outcomes({{store(x, 1, kRelease), store(y, 1)}, {load(0, y), load(1, x)}}), (Counts{3, 3, 4}));
}

TEST(OracleLitmus, AMarkerKeepsLaterStoresBehindEarlierOnes) {
  // x | marker | z = release, y: y may overtake z but not x.
  EXPECT_EQ(outcomes({{store(x, 1), store(16, 1, kRelease), store(y, 1)}, {load(0, y), load(1, x)}}),
            (Counts{3, 3, 3}));
}

TEST(OracleLitmus, LoadBuffering) {
  const Threads threads = {{load(0, x), store(y, 1)}, {load(0, y), store(x, 1)}};
  EXPECT_EQ(outcomes(threads), (Counts{3, 3, 3}));
}

TEST(OracleLitmus, IndependentReads) {
  const Threads threads = {{store(x, 1)}, {store(y, 1)}, {load(0, x), load(1, y)}, {load(0, y), load(1, x)}};
  EXPECT_EQ(outcomes(threads), (Counts{15, 15, 15}));
  EXPECT_EQ(outcomes(fenced(threads)), (Counts{15, 15, 15}));
}

TEST(OracleLitmus, TwoPlusTwoWrites) {
  const Threads threads = {{store(x, 1), store(y, 2)}, {store(y, 1), store(x, 2)}};
  EXPECT_EQ(outcomes(with_final_values(threads)), (Counts{3, 3, 4}));
  EXPECT_EQ(outcomes(with_final_values(fenced(threads))), (Counts{3, 3, 3}));
}

TEST(OracleLitmus, R) {
  const Threads threads = {{store(x, 1), store(y, 1)}, {store(y, 2), load(0, x)}};
  const Outcome relaxed = {{"t0r1", 2}, {"t2r0", 0}};
  EXPECT_FALSE(allows(with_final_values(threads), MemoryModel::kSc, relaxed));
  EXPECT_TRUE(allows(with_final_values(threads), MemoryModel::kTso, relaxed));
  EXPECT_FALSE(allows(with_final_values(fenced(threads)), MemoryModel::kTso, relaxed));
  EXPECT_FALSE(allows(with_final_values(fenced(threads)), MemoryModel::kPso, relaxed));
}

TEST(OracleLitmus, S) {
  const Threads threads = {{store(x, 2), store(y, 1)}, {load(0, y), store(x, 1)}};
  const Outcome relaxed = {{"t0r0", 2}, {"t2r0", 1}};
  EXPECT_FALSE(allows(with_final_values(threads), MemoryModel::kTso, relaxed));
  EXPECT_TRUE(allows(with_final_values(threads), MemoryModel::kPso, relaxed));
  EXPECT_FALSE(allows(with_final_values(fenced(threads)), MemoryModel::kPso, relaxed));
}

TEST(OracleLitmus, WritesAreSeenByAllAtOnce) {
  const Program program = with_main({{store(x, 1)}, {load(0, x), store(y, 1)}, {load(0, y), load(1, x)}});
  const Outcome relaxed = {{"t2r0", 1}, {"t3r0", 1}, {"t3r1", 0}};
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso})
    EXPECT_FALSE(allows(program, model, relaxed));
  EXPECT_EQ(outcomes(program), (Counts{7, 7, 7}));
}

TEST(OracleLitmus, N5) {
  const Program program = with_main({{store(x, 1), load(0, x)}, {store(x, 2), load(0, x)}});
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso})
    EXPECT_FALSE(allows(program, model, {{"t1r0", 2}, {"t2r0", 1}}));
  EXPECT_EQ(outcomes(program), (Counts{3, 3, 3}));
}

TEST(OracleLitmus, N6) {
  const Threads threads = {{store(x, 1), load(0, x), load(1, y)}, {store(y, 2), store(x, 2)}};
  const Outcome relaxed = {{"t0r0", 1}, {"t1r0", 1}, {"t1r1", 0}};
  EXPECT_FALSE(allows(with_final_values(threads), MemoryModel::kSc, relaxed));
  EXPECT_TRUE(allows(with_final_values(threads), MemoryModel::kTso, relaxed));
  EXPECT_TRUE(allows(with_final_values(threads), MemoryModel::kPso, relaxed));
}

TEST(OracleLitmus, CoherentReads) {
  const Program program = with_main({{store(x, 1), store(x, 2)}, {load(0, x), load(1, x)}});
  EXPECT_EQ(outcomes(program), (Counts{6, 6, 6}));
}

TEST(OracleLitmus, ALoadThatIsCoveredInPartWaitsForTheStore) {
  // The load of x needs the byte in memory first; then y's load cannot come before the store.
  const Threads threads = {{store(x, 1, kPlain, 1), load(1, x, kPlain, 4), load(0, y)},
                           {store(y, 1, kPlain, 1), load(1, y, kPlain, 4), load(0, x)}};
  EXPECT_EQ(outcomes(threads), (Counts{3, 3, 3}));
  // Covered in full, it is forwarded.
  const Threads covered = {{store(x, 1, kPlain, 8), load(1, x + 4, kPlain, 2), load(0, y)},
                           {store(y, 1, kPlain, 8), load(1, y + 4, kPlain, 2), load(0, x)}};
  EXPECT_EQ(outcomes(covered), (Counts{3, 4, 4}));
}

TEST(OracleLitmus, OverlappingStoresStayInOrder) {
  // Bytes 0-3, then byte 0: nobody sees the second without the first.
  const Threads threads = {{store(x, 0x01010101), store(x, 2, kPlain, 1)}, {load(0, x)}};
  EXPECT_EQ(outcomes(threads), (Counts{3, 3, 3}));
  // Bytes 0 and 1 do not overlap: PSO lets them pass.
  const Threads apart = {{store(x, 1, kPlain, 1), store(x + 1, 1, kPlain, 1)}, {load(0, x)}};
  EXPECT_EQ(outcomes(apart), (Counts{3, 3, 4}));
}

}  // namespace
}  // namespace heddle::oracle
