// SPDX-License-Identifier: Apache-2.0
//
// How many cores there are. The host binds the target to its own core and releases it
// as it sees fit; the program must not see that: it is told what the process was
// allowed when it started.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "descriptors.h"
#include "export.h"
#include "given_inputs.h"

namespace {

cpu_set_t allowed_at_start;
int count_at_start;

// Before any constructor of the program, and before the host binds anything.
__attribute__((constructor(101))) void keep_what_is_allowed() {
  CPU_ZERO(&allowed_at_start);
  if (syscall(SYS_sched_getaffinity, 0, sizeof allowed_at_start, &allowed_at_start) <= 0) CPU_SET(0, &allowed_at_start);
  count_at_start = CPU_COUNT(&allowed_at_start);
}

}  // namespace

#define HEDDLE_TOLD_OR(value)                                                                           \
  const HeddleGivenCall* told =                                                                         \
      heddle::rt::called_by_program(__builtin_return_address(0)) ? heddle::rt::given_input() : nullptr; \
  if (told) return static_cast<decltype(value)>(told->result)

HEDDLE_EXPORT int get_nprocs() {
  HEDDLE_TOLD_OR(count_at_start);
  return count_at_start;
}

HEDDLE_EXPORT int sched_getaffinity(pid_t, size_t size, cpu_set_t* result) {
  if (size < sizeof allowed_at_start) {
    errno = EINVAL;
    return -1;
  }
  memset(result, 0, size);
  memcpy(result, &allowed_at_start, sizeof allowed_at_start);
  return 0;
}

HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t, size_t size, cpu_set_t* result) {
  return sched_getaffinity(0, size, result) == 0 ? 0 : EINVAL;
}

HEDDLE_EXPORT unsigned hardware_concurrency() __asm__("_ZNSt6thread20hardware_concurrencyEv");
HEDDLE_EXPORT unsigned hardware_concurrency() {
  HEDDLE_TOLD_OR(0u);
  return static_cast<unsigned>(count_at_start);
}

HEDDLE_EXPORT long sysconf(int name) {
  HEDDLE_TOLD_OR(0l);
  if (name == _SC_NPROCESSORS_ONLN) return count_at_start;
  static const auto real_sysconf = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return real_sysconf(name);
}
