// SPDX-License-Identifier: Apache-2.0
//
// Host and target take turns: one runs, the other waits. On one core each finds
// warm what the other wrote, and waking it is cheap; left alone, the kernel likes to
// spread them over two, which costs a third more. So the target follows the thread
// that gives it work, wherever the kernel puts that one; a target that keeps its host
// waiting may go where it likes again.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace heddle::execute {

class SharedCore {
 public:
  SharedCore();
  // Before the target gets work from the calling thread.
  void follow(pid_t target);
  // The target runs alone, in this process and perhaps a child of it (else 0).
  void release(pid_t target, pid_t child);

 private:
  cpu_set_t allowed_;
  bool usable_ = false;
  int core_ = -1;  // that the target is bound to; -1: none
};

}  // namespace heddle::execute
