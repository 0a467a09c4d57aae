// SPDX-License-Identifier: Apache-2.0
//
// A thread is held up: all others may get ahead of it. In a program that is
// deterministic whatever the timing, nothing comes of it.
#include <fmt/format.h>

#include "propagate/faults/fault_model.h"

namespace heddle::propagate {
namespace {

bool applies(const FaultSite& site) { return site.computes(); }

Corruption corrupt(const FaultSite&, uint64_t, std::mt19937_64& random) {
  const uint64_t microseconds = 100 + draw(random, 20'000);
  return {HEDDLE_FAULT_DELAY, microseconds, fmt::format("{} µs", microseconds)};
}

}  // namespace

extern const FaultModel delayed_thread;
const FaultModel delayed_thread{8, "delay", "a thread sleeps for a while", applies, corrupt};

}  // namespace heddle::propagate
