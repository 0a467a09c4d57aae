// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM as a question that a long job asks now and then. The first
// one lets the job end in order and keep what it has; the second one ends Heddle
// at once.
#pragma once

#include <signal.h>

#include <atomic>

namespace heddle::cli {

// As long as it lives, SIGINT and SIGTERM only raise `requested`. One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  const std::atomic<bool>& requested() const;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_termination_ = {};
};

}  // namespace heddle::cli
