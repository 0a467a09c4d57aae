// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupts.h"

namespace heddle::cli {
namespace {

std::atomic<bool>& flag() {  // a signal handler has no other place
  static std::atomic<bool> requested = false;
  return requested;
}

void request(int) { flag().store(true); }

}  // namespace

Interrupts::Interrupts() {
  flag().store(false);
  struct sigaction action = {};
  action.sa_handler = request;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_termination_);
}

Interrupts::~Interrupts() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_termination_, nullptr);
}

const std::atomic<bool>& Interrupts::requested() const { return flag(); }

}  // namespace heddle::cli
