// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run in a random order. Whoever comes next
// is drawn among the threads that can go on and whose next branches would then go
// the recorded way; so a thread waits with a read until it finds what it found.
// A trial that gets stuck is given up: there is no going back.
//
// If it is known about when operations happened, every other trial performs them in that order, the first
// one exactly, others with errors in the guess that grow and shrink from trial to trial.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "reproduce/explanation.h"
#include "reproduce/machine.h"
#include "reproduce/system.h"

namespace heddle::reproduce {

class Trials {
 public:
  // The edges of the system bind: creation, cores.
  Trials(const System& system, uint64_t seed);
  // One trial; the order if it came to the failure, or to the end of all threads, with every condition fulfilled.
  std::optional<std::vector<OrderStep>> run(base::Patience& patience);

 private:
  // Threads by the time of their next operations, as far as that is known.
  void sort_by_clock(std::vector<uint32_t>& threads, const Machine& machine, std::vector<double>& errors);

  const System& system_;
  std::vector<std::vector<solve::Event>> before_;  // by event: others that must be there first, of other threads
  std::mt19937_64 random_;
  uint64_t trials_ = 0;
  double largest_error_ = 0;  // of the guessed times, in ticks
};

}  // namespace heddle::reproduce
