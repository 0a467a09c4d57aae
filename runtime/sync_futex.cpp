// SPDX-License-Identifier: Apache-2.0
//
// Futex system calls: how the C++ library waits for an atomic to change. A wait
// is AWAIT (compare the word and queue, in one step) and AWAIT_RESUME.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "access.h"
#include "real.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

bool notified(const Thread& thread) { return thread.woken; }

constexpr uint64_t kEndOfAddresses = (uint64_t{1} << 47) - 4096;  // of a process on x86-64

long fails(int error) {
  errno = error;
  return -1;
}

// Waiters of a process and waiters that other processes could wake do not find each other.
enum Use : uint8_t { kPrivate = 1, kShared = 2 };

void check_one_use(const SyncObject& word) {
  if (word.type == (kPrivate | kShared)) unsupported("a futex that is private in some calls and shared in others");
}

long await_change(uint32_t* word, uint32_t expected, const struct timespec* given, bool absolute, clockid_t clock,
                  Use use) {
  Thread& self = *g.current;
  const struct timespec timeout = given ? seen(given) : timespec{};
  if (given && (timeout.tv_sec < 0 || !is_valid(timeout))) return fails(EINVAL);
  if (!can_be_read(reinterpret_cast<uint64_t>(word), sizeof *word)) return fails(EFAULT);
  begin_access(self, HEDDLE_AWAIT, word, 4, HEDDLE_ORDER_SEQ_CST, self.site);
  const uint64_t address = reinterpret_cast<uint64_t>(word);
  uint32_t now;
  memcpy(&now, word, sizeof now);
  if (now != expected) {
    record(self, now, expected, HEDDLE_FLAG_FAILED);
    note_read(self, self.site, address, now);
    return fails(EAGAIN);
  }
  record(self, now, expected, given ? HEDDLE_FLAG_TIMED : 0);
  note_progress(self);

  SyncObject& queue = sync_object(word, SyncKind::kWord);
  queue.type |= use;
  check_one_use(queue);
  announce(self, HEDDLE_AWAIT_RESUME, address, self.site, 4);
  self.object = &queue;
  self.woken = false;
  self.ticket = ++g.tickets;
  const Turn turn = take_turn_when(self, notified, given != nullptr, true);
  self.object = nullptr;
  record(self, 0, 0, turn == Turn::kTimeout ? HEDDLE_FLAG_TIMEOUT : turn == Turn::kSpurious ? HEDDLE_FLAG_SPURIOUS : 0);
  note_progress(self);
  if (turn == Turn::kTimeout) {
    if (absolute) {
      advance_clock(timeout, clock);
    } else {
      logical_clock(self) += timeout.tv_sec * 1000000000 + timeout.tv_nsec;
    }
    return fails(ETIMEDOUT);
  }
  return turn == Turn::kSpurious ? fails(EINTR) : 0;
}

// `learns`: the program looks at the result.
long notify(uint32_t* word, uint32_t most, bool learns, Use use) {
  if (reinterpret_cast<uint64_t>(word) >= kEndOfAddresses) return fails(EFAULT);
  if (use == kShared && !can_be_read(reinterpret_cast<uint64_t>(word), sizeof *word)) return fails(EFAULT);
  if (!most) most = 1;  // so the kernel has it
  Thread& self = operating_thread();
  announce(self, HEDDLE_NOTIFY, reinterpret_cast<uint64_t>(word), self.site, 4);
  take_turn(self);
  SyncObject* queue = sync_find(word);
  if (queue && queue->kind != SyncKind::kWord) queue = nullptr;
  if (queue) {
    queue->type |= use;
    check_one_use(*queue);
  }
  long woken = 0;
  while (queue && static_cast<uint32_t>(woken) < most) {
    Thread* chosen = choose_waiter(queue, most - static_cast<uint32_t>(woken));
    if (!chosen) break;
    chosen->woken = true;
    ++woken;
  }
  record(self, static_cast<uint64_t>(woken), most, learns ? HEDDLE_FLAG_LEARNED : 0);
  note_change(self, reinterpret_cast<uint64_t>(word));
  return woken;
}

long futex(uint32_t* word, int operation, uint32_t value, const struct timespec* timeout, uint32_t mask, bool learns) {
  const clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const int command = operation & FUTEX_CMD_MASK;
  const Use use = operation & FUTEX_PRIVATE_FLAG ? kPrivate : kShared;
  if (reinterpret_cast<uint64_t>(word) % sizeof *word) return fails(EINVAL);
  if ((command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET) && mask != FUTEX_BITSET_MATCH_ANY)
    unsupported("futexes with a bit mask");
  switch (command) {
    case FUTEX_WAIT: return await_change(word, value, timeout, false, clock, use);
    case FUTEX_WAIT_BITSET: return await_change(word, value, timeout, true, clock, use);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return notify(word, value, learns, use);
    default: unsupported("this futex operation");
  }
}

}  // namespace

HEDDLE_EXPORT long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (modelled()) {
    const bool learns = g.current->learns_result;
    g.current->learns_result = false;
    switch (number) {
      case SYS_futex:
        return futex(reinterpret_cast<uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<uint32_t>(a[2]),
                     reinterpret_cast<const struct timespec*>(a[3]), static_cast<uint32_t>(a[5]), learns);
      case SYS_gettid: return static_cast<long>(1000 + g.current->slot->number);
      case SYS_sched_yield: return sched_yield();
      case SYS_clone:
      case SYS_fork:
      case SYS_vfork: unsupported("creating processes or threads by a raw system call");
      case SYS_seccomp: unsupported("seccomp");
      case SYS_prctl: return prctl(static_cast<int>(a[0]), a[1], a[2], a[3], a[4]);
      case SYS_setrlimit:
      case SYS_prlimit64:
        if (number == SYS_setrlimit || a[2]) unsupported("limits of resources (setrlimit)");
        break;
      case SYS_exit_group: exit(static_cast<int>(a[0]));
      default: break;
    }
  }
  find_real_functions();
  return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
