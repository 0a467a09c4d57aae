// SPDX-License-Identifier: Apache-2.0
//
// Calls by which a program limits itself: what is forbidden afterwards, and what the
// kernel does about it, is not modelled, so they are refused by name.
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "export.h"
#include "failure.h"
#include "program_threads.h"
#include "real.h"
#include "state.h"

using namespace heddle::rt;

namespace {

[[noreturn]] void refuse_limit() { unsupported("limits of resources (setrlimit)"); }

bool only_asks(int option) {
  switch (option) {
    case PR_GET_DUMPABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_PDEATHSIG:
    case PR_GET_SECCOMP:
    case PR_GET_TIMERSLACK: return true;
    default: return false;
  }
}

}  // namespace

HEDDLE_EXPORT int prctl(int option, ...) {
  va_list rest;
  va_start(rest, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(rest, unsigned long);
  va_end(rest);
  find_real_functions();
  if (modelled()) {
    if (option == PR_SET_NAME) return pthread_setname_np(pthread_self(), reinterpret_cast<const char*>(a[0]));
    if (option == PR_GET_NAME) return pthread_getname_np(pthread_self(), reinterpret_cast<char*>(a[0]), 16);
    if (option == PR_SET_SECCOMP) unsupported("seccomp");
    if (!only_asks(option)) unsupported("prctl that changes the process");
  }
  return static_cast<int>(real.syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]));
}

HEDDLE_EXPORT int setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) noexcept {
  find_real_functions();
  if (modelled()) refuse_limit();
  return static_cast<int>(real.syscall(SYS_prlimit64, 0, resource, limit, nullptr));
}

HEDDLE_EXPORT int setrlimit64(__rlimit_resource_t resource, const struct rlimit64* limit) noexcept {
  find_real_functions();
  if (modelled()) refuse_limit();
  return static_cast<int>(real.syscall(SYS_prlimit64, 0, resource, limit, nullptr));
}
