// SPDX-License-Identifier: Apache-2.0
#include "record/stamp_clock.h"

#include <x86intrin.h>

#include <chrono>
#include <string>

#include "base/files.h"

namespace heddle::record {

namespace {

// A store is in memory long before that, and counters that the kernel takes for one clock differ by less.
constexpr double kMarginSeconds = 2e-6;
constexpr std::chrono::milliseconds kCalibration(2);
constexpr const char* kClocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

}  // namespace

base::Result<uint64_t> stamp_margin() {
  // The kernel takes this clock off the list when it sees the cores' counters differ.
  const auto clocks = base::read_file(kClocks);
  if (!clocks || (" " + *clocks).find(" tsc") == std::string::npos)
    return base::Error{"--stamps: the time stamp counters of this machine's cores do not agree", "record without it"};
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const uint64_t first = __rdtsc();
  while (Clock::now() - begin < kCalibration) {
  }
  const uint64_t ticks = __rdtsc() - first;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return static_cast<uint64_t>(static_cast<double>(ticks) / seconds * kMarginSeconds) + 1;
}

}  // namespace heddle::record
