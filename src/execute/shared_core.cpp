// SPDX-License-Identifier: Apache-2.0
#include "execute/shared_core.h"

namespace heddle::execute {

SharedCore::SharedCore() { usable_ = ::sched_getaffinity(0, sizeof allowed_, &allowed_) == 0; }

void SharedCore::follow(pid_t target) {
  const int core = ::sched_getcpu();
  if (!usable_ || core < 0 || core == core_) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(core), &one);
  usable_ = ::sched_setaffinity(target, sizeof one, &one) == 0;
  core_ = core;
}

void SharedCore::release(pid_t target, pid_t child) {
  if (!usable_ || core_ < 0) return;
  ::sched_setaffinity(target, sizeof allowed_, &allowed_);
  if (child > 0) ::sched_setaffinity(child, sizeof allowed_, &allowed_);
  core_ = -1;
}

}  // namespace heddle::execute
