// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "failure.h"
#include "real.h"
#include "recorder.h"
#include "scheduler.h"
#include "signal_queue.h"
#include "store_buffer.h"
#include "support.h"

namespace heddle::rt {
namespace {

struct sigaction g_program_actions[NSIG];  // what the program asked for

const char* signal_name(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGABRT: return "SIGABRT";
    case SIGKILL: return "SIGKILL";
    case SIGTERM: return "SIGTERM";
    case SIGINT: return "SIGINT";
    case SIGPIPE: return "SIGPIPE";
    case SIGUSR1: return "SIGUSR1";
    case SIGUSR2: return "SIGUSR2";
    default: return "a signal";
  }
}

void crashed(int number, siginfo_t* info, void* context) {
  const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
  if (!g.active || !g.current) runtime_broken(signal_name(number));
  const bool null = number == SIGSEGV && address < 4096;
  crash(null ? HEDDLE_FAILURE_NULL : HEDDLE_FAILURE_SIGNAL, address, static_cast<uint64_t>(number),
        null ? "null dereference" : signal_name(number),
        static_cast<uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]));
}

}  // namespace

void reset_signals() {
  memset(g_program_actions, 0, sizeof g_program_actions);
  g.signals = 0;
}

void install_signal_stack() {
  constexpr size_t kSize = 64 << 10;
  stack_t stack = {};
  stack.ss_sp = runtime_memory(kSize);
  stack.ss_size = kSize;
  sigaltstack(&stack, nullptr);
}

void install_crash_handlers() {
  install_signal_stack();
  constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  for (int number : kCrashes) {
    struct sigaction action = {};
    action.sa_sigaction = crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    real.sigaction(number, &action, nullptr);
  }
}

}  // namespace heddle::rt

using namespace heddle::rt;

// The program's handlers are kept here and called directly by raise: a signal
// that a thread sends to itself is handled at once, on that thread.
HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  find_real_functions();
  if (!modelled()) return real.sigaction(number, action, old);
  if (number <= 0 || number >= NSIG || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return -1;
  }
  settle(*g.current);
  if (old) *old = g_program_actions[number];
  if (action) g_program_actions[number] = *action;
  return 0;
}

HEDDLE_EXPORT void (*signal(int number, void (*handler)(int)))(int) {
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

HEDDLE_EXPORT int raise(int number) {
  find_real_functions();
  if (!modelled()) return static_cast<int>(real.syscall(SYS_kill, getpid(), number));
  if (number <= 0 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (send_if_blocked(*g.current, number)) return 0;
  const struct sigaction action = g_program_actions[number];
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = {};
    info.si_signo = number;
    action.sa_sigaction(number, &info, nullptr);
  } else if (action.sa_handler == SIG_DFL) {
    if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return 0;
    fail(HEDDLE_FAILURE_SIGNAL, 0, static_cast<uint64_t>(number), signal_name(number));
  } else if (action.sa_handler != SIG_IGN) {
    action.sa_handler(number);
  }
  return 0;
}
