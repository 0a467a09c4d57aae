// SPDX-License-Identifier: Apache-2.0
//
// Slicing: of a window only what can matter is put to the solver.
#include <gtest/gtest.h>

#include "oracle/kept_races.h"
#include "oracle/operations.h"
#include "oracle/symbolic_of_run.h"
#include "oracle/trace_of_run.h"
#include "predict/options.h"
#include "predict/recipe_slice.h"
#include "predict/recipe_window.h"

namespace heddle::oracle {
namespace {

using causal::EventId;

constexpr int kY = 0, kX = 8, kFlag = 12, kOther = 16;

// What of the window a question about a race on x keeps: thread 1 sets y to 3, writes x, sets y to 5; thread 2 reads
// x if y is 5; the others are `more`.
class SliceTest : public testing::Test {
 protected:
  void make(std::vector<std::vector<Operation>> more, std::vector<Operation> before = {}) {
    std::vector<std::vector<Operation>> workers = {{store(kY, 3), store(kX, 1), store(kY, 5)},
                                                   {load(0, kY), branch(0, 5, 1), load(1, kX)}};
    workers[1].insert(workers[1].begin(), before.begin(), before.end());
    for (auto& worker : more) workers.push_back(std::move(worker));
    const Program program = with_main(std::move(workers));
    const int last = program.threads[2].operations.back().number;
    RandomRun run;
    for (uint64_t seed = 0; seed < 1000; ++seed) {  // one in which all is done
      run = random_run(program, seed);
      const auto is_last = [&](const RunStep& step) { return step.transition.operation->number == last; };
      if (std::any_of(run.begin(), run.end(), is_last)) break;
    }
    trace_ = trace_of_run(program, run);
    recipe_ = symbolic_of_run(program, trace_);
    const EventId write = find(1, HEDDLE_STORE, kX), read = find(2, HEDDLE_LOAD, kX);
    predict::for_each_window(
        trace_, predict::kWholeTrace, {},
        [&](size_t begin, size_t end, const predict::CarriedState& state, const std::vector<uint32_t>& first) {
          const predict::RecipeWindow window(trace_, recipe_, begin, end, state, first, true);
          const predict::RecipeGoal goal{{write, read}};
          const predict::RecipeSlice slice(window, recipe_.terms, goal);
          kept_.assign(window.threads(), 0);
          for (uint32_t t = 0; t < window.threads(); ++t)
            for (uint32_t index = window.first(t); index < slice.end(t); ++index)
              kept_[t] += !slice.leaves_out({t, index});
          reads_ = slice.reads().size();
          events_ = end - begin;
        });
  }

  EventId find(uint32_t thread, uint8_t kind, int offset) const {
    for (const trace::Event& event : trace_.events)
      if (event.record.thread == thread && event.record.kind == kind &&
          (event.record.address & 0xff) == static_cast<uint64_t>(offset))
        return {thread, event.record.index};
    ADD_FAILURE() << "no such access";
    return {};
  }

  trace::Trace trace_;
  symbolic::WalkedTrace recipe_;
  std::vector<size_t> kept_;  // by thread
  size_t reads_ = 0, events_ = 0;
};

// Its start and what decides the branch.
TEST_F(SliceTest, WhatOthersDoElsewhereIsLeftOut) {
  std::vector<Operation> elsewhere;
  for (int i = 0; i < 5; ++i)
    elsewhere.insert(elsewhere.end(), {lock(1), load(0, kOther), store(kOther, 1), unlock(1)});
  make({elsewhere});
  EXPECT_EQ(kept_[3], 0u) << "a thread that nothing depends on";
  EXPECT_EQ(kept_[1], 2u) << "its start, and y = 3";
  EXPECT_EQ(kept_[2], 2u) << "its start, and the read of y";
  EXPECT_EQ(reads_, 1u);
  EXPECT_GT(events_, 25u);
}

TEST_F(SliceTest, AThreadIsKeptAsFarAsItMatters) {
  make({{store(kOther, 1), store(kY, 5), store(kOther, 2), load(0, kOther), store(kOther, 3)}});
  EXPECT_EQ(kept_[3], 2u) << "its start, and y = 5; no more, and not what is before it elsewhere";
}

TEST_F(SliceTest, WhatAWrittenValueDependsOnMatters) {
  make({{load(0, kFlag), store_sum(kY, 0, 5), store(kOther, 2)}, {store(kFlag, 0), store(kFlag, 1), store(kOther, 3)}});
  EXPECT_EQ(kept_[3], 3u) << "its start, the read of the flag, the write of y";
  EXPECT_EQ(kept_[4], 3u) << "its start, both writes of the flag";
  EXPECT_EQ(reads_, 2u);
}

TEST_F(SliceTest, ReadsThatNoConditionHasAreLeftOut) {
  make({}, {load(2, kOther), store(kOther, 1), load(3, kOther)});
  EXPECT_EQ(kept_[2], 2u);
  EXPECT_EQ(reads_, 1u);
}

}  // namespace
}  // namespace heddle::oracle
