// SPDX-License-Identifier: Apache-2.0
//
// How much memory this process and the processes that it started use, and how
// much there is.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace heddle::base {

// Looked at again and again. Which processes there are is found out seldom, how
// large they are each time.
class ProcessTree {
 public:
  struct Member {
    pid_t process = 0;
    uint64_t bytes = 0;
  };

  // This process comes first. Resident bytes: of this process all, of those below it what they share with nobody.
  const std::vector<Member>& measure();
  uint64_t total() const;  // when it was measured last

 private:
  void find_members();

  std::vector<Member> members_;
  std::chrono::steady_clock::time_point next_search_;
};

// Of this machine, or of the control group that we are in, if that may use less.
uint64_t machine_memory();

}  // namespace heddle::base
