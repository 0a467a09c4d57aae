// SPDX-License-Identifier: Apache-2.0
//
// Futex system calls in a free run, and so std::atomic's wait and notify. AWAIT
// is numbered before the thread sleeps and AWAIT_RESUME after, so that the
// NOTIFY that wakes it comes between them. A word that has another value than
// expected is a failed AWAIT; one that changes just before the thread sleeps
// ends the wait as if without reason.
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sync.h"

using namespace heddle::free_run;

namespace heddle::free_run {

Syscall real_syscall() {
  static const Syscall real = reinterpret_cast<Syscall>(dlsym(RTLD_NEXT, "syscall"));
  return real;
}

}  // namespace heddle::free_run

namespace {

void log_word(uint8_t kind, uint8_t flags, const uint32_t* word, uint64_t value, uint64_t value2, uint64_t sequence) {
  Log& log = own_log();
  record(log, kind, 4, 0, flags, log.site, reinterpret_cast<uint64_t>(word), value, value2, sequence);
}

uint8_t resume_flags(long result, int error) {
  if (result == 0) return 0;
  return error == ETIMEDOUT ? HEDDLE_FLAG_TIMEOUT : HEDDLE_FLAG_SPURIOUS;
}

long await_change(const long* a) {
  const uint32_t* word = reinterpret_cast<const uint32_t*>(a[0]);
  const uint32_t expected = static_cast<uint32_t>(a[2]);
  const uint32_t seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (seen != expected) {
    log_word(HEDDLE_AWAIT, HEDDLE_FLAG_FAILED, word, seen, expected, next_sequence());
    errno = EAGAIN;
    return -1;
  }
  log_word(HEDDLE_AWAIT, a[3] ? HEDDLE_FLAG_TIMED : 0, word, seen, expected, next_sequence());
  const long result = real_syscall()(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
  const int error = errno;
  log_word(HEDDLE_AWAIT_RESUME, resume_flags(result, error), word, 0, 0, next_sequence());
  errno = error;
  return result;
}

long notify(const long* a) {
  const uint64_t sequence = next_sequence();
  const long result = real_syscall()(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
  const int error = errno;
  log_word(HEDDLE_NOTIFY, result < 0 ? HEDDLE_FLAG_FAILED : 0, reinterpret_cast<const uint32_t*>(a[0]),
           result < 0 ? 0 : static_cast<uint64_t>(result), static_cast<uint32_t>(a[2]), sequence);
  errno = error;
  return result;
}

}  // namespace

HEDDLE_EXPORT long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (running() && number == SYS_futex) {
    switch (a[1] & FUTEX_CMD_MASK) {
      case FUTEX_WAIT:
      case FUTEX_WAIT_BITSET: return await_change(a);
      case FUTEX_WAKE:
      case FUTEX_WAKE_BITSET: return notify(a);
      default: break;
    }
  }
  return real_syscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
