// SPDX-License-Identifier: Apache-2.0
#include "signal_queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "access.h"
#include "real.h"
#include "sync_api.h"

namespace heddle::rt {
namespace {

constexpr int kFirstOfLibrary = 32, kFirstRealTime = 34;  // as the kernel and glibc count signals

uint64_t bit(int number) { return 1ull << (number - 1); }

uint64_t bits_of(const sigset_t* set) {  // signals 1 to 64 are the first word
  return seen(reinterpret_cast<const uint64_t*>(set));
}

bool wanted_arrived(const Thread& thread) { return (thread.signals | g.signals) & thread.signals_wanted; }

void send(Thread* target, int number) {
  Thread& self = *g.current;
  announce(self, HEDDLE_SIGNAL_SEND, 0, self.site);
  take_turn(self);
  uint64_t& arrived = target ? target->signals : g.signals;
  if (number >= kFirstRealTime && arrived & bit(number))
    unsupported("several real-time signals of one number at a time");
  arrived |= bit(number);
  record(self, static_cast<uint64_t>(number), target ? target->number + 1 : 0);
  note_progress(self);
}

// The lowest signal of the set, or 0 when the wait timed out.
int take(const sigset_t* set, bool timed) {
  Thread& self = *g.current;
  cancellation_point(self);
  announce(self, HEDDLE_SIGNAL_WAIT, 0, self.site);
  self.signals_wanted = bits_of(set);
  if (take_turn_when(self, wanted_arrived, timed) == Turn::kTimeout) {
    record(self, 0, 0, HEDDLE_FLAG_TIMEOUT);
    return 0;
  }
  const uint64_t arrived = (self.signals | g.signals) & self.signals_wanted;
  const int number = __builtin_ctzll(arrived) + 1;
  (self.signals & bit(number) ? self.signals : g.signals) &= ~bit(number);
  record(self, static_cast<uint64_t>(number));
  note_progress(self);
  return number;
}

}  // namespace

bool send_if_blocked(Thread& target, int number) {
  if (!(target.signals_blocked & bit(number))) return false;
  send(&target, number);
  return true;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  if (!modelled()) return 0;
  Thread& self = *g.current;
  const uint64_t before = self.signals_blocked;
  if (set) {
    const uint64_t bits = bits_of(set);
    if (how == SIG_BLOCK)
      self.signals_blocked |= bits;
    else if (how == SIG_UNBLOCK)
      self.signals_blocked &= ~bits;
    else if (how == SIG_SETMASK)
      self.signals_blocked = bits;
    else
      return EINVAL;
  }
  if (self.signals & ~self.signals_blocked) unsupported("unblocking a signal that has arrived");
  sigset_t copy = {};
  memcpy(&copy, &before, sizeof before);
  if (old) __heddle_write(old, &copy, sizeof copy, self.site);
  return 0;
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  const int error = pthread_sigmask(how, set, old);
  if (error) errno = error;
  return error ? -1 : 0;
}

HEDDLE_EXPORT int pthread_kill(pthread_t handle, int number) {
  constexpr uint64_t kOffsetOfLock = 1096;  // of what glibc keeps of a thread; it is there that it would crash
  Thread* target = thread_with_handle(handle);
  if (!target)
    perform_load<uint32_t>(*g.current, reinterpret_cast<const void*>(handle + kOffsetOfLock), HEDDLE_ORDER_NOT_ATOMIC,
                           g.current->site, HEDDLE_FLAG_MODEL);
  if (!target || target->joined) return ESRCH;
  if (number == 0) return 0;
  if (number < 0 || number >= NSIG || (number >= kFirstOfLibrary && number < kFirstRealTime)) return EINVAL;
  if (target == g.current) return raise(number);
  if (!send_if_blocked(*target, number)) unsupported("pthread_kill to a thread that does not block the signal");
  return 0;
}

HEDDLE_EXPORT int kill(pid_t process, int number) {
  find_real_functions();
  if (!modelled() || process != getpid() || number == 0)
    return static_cast<int>(real.syscall(SYS_kill, process, number));
  if (!(g.current->signals_blocked >> (number - 1) & 1)) return raise(number);
  send(nullptr, number);
  return 0;
}

HEDDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  const uint32_t taken = static_cast<uint32_t>(take(set, false));
  perform_store<uint32_t>(*g.current, number, taken, HEDDLE_ORDER_NOT_ATOMIC, g.current->site, HEDDLE_FLAG_MODEL);
  return 0;
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec*) {
  const int taken = take(set, true);
  if (!taken) {
    errno = EAGAIN;
    return -1;
  }
  siginfo_t filled = {};
  filled.si_signo = taken;
  filled.si_pid = getpid();  // who else?
  filled.si_uid = getuid();
  if (info) __heddle_write(info, &filled, sizeof filled, g.current->site);
  return taken;
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  const int taken = take(set, false);
  siginfo_t filled = {};
  filled.si_signo = taken;
  filled.si_pid = getpid();  // who else?
  filled.si_uid = getuid();
  if (info) __heddle_write(info, &filled, sizeof filled, g.current->site);
  return taken;
}

HEDDLE_EXPORT int sigsuspend(const sigset_t*) { unsupported("sigsuspend"); }
HEDDLE_EXPORT int pause() { unsupported("pause"); }
HEDDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (seconds) unsupported("alarm");
  return 0;
}
