// SPDX-License-Identifier: Apache-2.0
//
// Does a process still do something? Looked at from outside, now and then.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "abi/comparison.h"

namespace heddle::compare {

class Quiet {
 public:
  // It may use so much CPU time, and all its threads may sleep for so long.
  Quiet(pid_t process, uint64_t cpu_nanoseconds, uint64_t quiet_nanoseconds);
  // HEDDLE_END_NONE: nothing is wrong with it.
  HeddleRunEnd look();

 private:
  bool all_sleep() const;

  pid_t process_;
  uint64_t most_cpu_;
  uint64_t most_quiet_;
  uint64_t last_cpu_ = 0;
  uint64_t last_look_ = 0;
  uint64_t quiet_for_ = 0;
};

}  // namespace heddle::compare
