// SPDX-License-Identifier: Apache-2.0
//
// Two implementations of one thing: on random executions of threads without store buffers they must agree.
#include "check/causal_stack.h"

#include <gtest/gtest.h>

#include <random>

#include "check/bitset_stack.h"
#include "check/clock_stack.h"

namespace heddle::check {
namespace {

class RandomSteps {
 public:
  RandomSteps(uint32_t seed, uint32_t threads) : draw_(seed), threads_(threads) {}

  Footprint footprint() {
    Footprint footprint;
    footprint.process = {below(threads_), Process::kThread};
    footprint.index = index_++;
    const uint32_t what = below(20);
    if (what == 0) {
      footprint.everything = true;
    } else if (what == 1) {  // a large block
      footprint.touches.push_back({Touch::Space::kMemory, true, 0, 4096});
    } else if (what > 2) {
      for (uint32_t touches = 1 + below(2); touches > 0; --touches)
        footprint.touches.push_back(
            {below(6) ? Touch::Space::kMemory : Touch::Space::kLife, below(2) == 0, 4 * below(8), below(2) ? 4u : 8u});
      footprint.is_access = below(3) != 0;
      footprint.takes_mutex = !footprint.is_access && below(2) == 0;
    }
    footprint.follows_thread = below(15) == 0;
    if (below(25) == 0) footprint.joined = below(threads_);
    return footprint;
  }

  // At each point the thread that goes on could, and most others.
  RunPoint point(const Footprint& footprint) {
    RunPoint point;
    point.process = footprint.process;
    for (uint32_t thread = 0; thread < threads_; ++thread)
      if (thread == footprint.process.thread || below(4))
        point.possible.push_back({{thread, Process::kThread}, {}, false});
    return point;
  }

  uint32_t below(uint32_t end) { return static_cast<uint32_t>(draw_() % end); }

 private:
  std::mt19937 draw_;
  const uint32_t threads_;
  uint32_t index_ = 0;
};

TEST(CausalStack, ClocksAndBitsetsAgree) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomSteps steps(seed, 1 + seed % 5);
    ClockStack clocks;
    BitsetStack bitsets(CausalStack::Races::kNearest);
    for (int step = 0; step < 80; ++step) {
      if (steps.below(20) == 0 && clocks.size() > 0) {
        const size_t size = steps.below(static_cast<uint32_t>(clocks.size()));
        clocks.cut(size);
        bitsets.cut(size);
      }
      const Footprint footprint = steps.footprint();
      const RunPoint point = steps.point(footprint);
      clocks.push(point, footprint);
      bitsets.push(point, footprint);
      ASSERT_EQ(clocks.size(), bitsets.size());
      ASSERT_EQ(clocks.races(), bitsets.races()) << "seed " << seed << " step " << step;
      const size_t later = clocks.size() - 1;
      for (const size_t earlier : clocks.races())
        ASSERT_EQ(clocks.firsts(earlier, later, footprint), bitsets.firsts(earlier, later, footprint))
            << "seed " << seed << " step " << step << " from " << earlier;
      const Footprint waiting = steps.footprint();
      ASSERT_EQ(clocks.races_of(waiting), bitsets.races_of(waiting)) << "seed " << seed << " step " << step;
      for (const size_t earlier : clocks.races_of(waiting))
        ASSERT_EQ(clocks.firsts(earlier, clocks.size(), waiting), bitsets.firsts(earlier, bitsets.size(), waiting))
            << "seed " << seed << " step " << step << " waiting";
    }
  }
}

}  // namespace
}  // namespace heddle::check
