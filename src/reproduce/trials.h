// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run in a random order. Whoever comes next
// is drawn among the threads that can go on and whose next branches would then go
// the recorded way; so a thread waits with a read until it finds what it found.
// A trial that gets stuck is given up: there is no going back.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "reproduce/explanation.h"
#include "reproduce/system.h"

namespace heddle::reproduce {

class Trials {
 public:
  // The edges of the system bind: creation, cores.
  Trials(const System& system, uint64_t seed);
  // One trial; the order if it came to the failure, or to the end of all threads, with every condition fulfilled.
  std::optional<std::vector<OrderStep>> run();

 private:
  const System& system_;
  std::vector<std::vector<solve::Event>> before_;  // by event: others that must be there first, of other threads
  std::mt19937_64 random_;
  uint64_t trials_ = 0;
};

}  // namespace heddle::reproduce
