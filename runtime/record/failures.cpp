// SPDX-License-Identifier: Apache-2.0
//
// Signals. Those that end a program write down where and why, and then end it as they would have.
// Handlers of the program run on a record of their own: they may interrupt their thread in the
// middle of a word, and code of the thread keeps the word in a register.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "record.h"
#include "wrapped_handlers.h"

using namespace heddle::record_run;

namespace {

constexpr size_t kSignalStackBytes = 64 << 10;
constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

__thread void* g_own_stack;  // for signal handlers

bool is_fatal(int number) {
  for (const int fatal : kFatal)
    if (fatal == number) return true;
  return false;
}

void note_failure(int number, const siginfo_t* info, const void* context) {
  if (!g_recording || !has_record()) return;
  HeddlePath& record = *own_record();
  HeddleRecordedFailure& failure = g_recording->failure;
  failure.thread = record.number;
  failure.signal = number;
  failure.code = info->si_code;
  failure.address = info->si_code > 0 ? reinterpret_cast<uint64_t>(info->si_addr) : 0;
  failure.instruction = static_cast<uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  failure.site = record.site;
  __atomic_fetch_add(&failure.seen, 1u, __ATOMIC_RELEASE);
}

// The program has no handler: it ends as it would have ended.
void fail(int number, siginfo_t* info, void* context) {
  note_failure(number, info, context);
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  heddle::wrapped::real_sigaction(number, &usual, nullptr);
  const bool happens_again =
      info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL);
  if (!happens_again) raise(number);
}

HeddlePath* handler_record(HeddlePath& interrupted) {
  if (interrupted.handler) return record_number(interrupted.handler);
  HeddlePath* record = new_record(interrupted.number, HEDDLE_HANDLER_RECORD + interrupted.handlers++);
  if (!record) return nullptr;
  record->interrupted = interrupted.number;
  record->process_thread = interrupted.process_thread;
  interrupted.handler = record->number;
  return record;
}

void handle(int number, siginfo_t* info, void* context) {
  const auto handler = heddle::wrapped::take_handler(number);
  if (!g_recording || !has_record()) return handler(number, info, context);
  const int error = errno;
  if (is_fatal(number)) note_failure(number, info, context);
  HeddlePath* interrupted = own_record();
  HeddlePath* record = handler_record(*interrupted);
  own_record() = record ? record : &__heddle_no_path;
  if (record) {
    const uint64_t words[] = {position(*interrupted), static_cast<uint64_t>(number)};
    note(*record, HEDDLE_NOTE_HANDLED, 0, words, 2);
  }
  errno = error;
  handler(number, info, context);
  if (!g_recording) return;
  own_record() = interrupted;
  forget_core();  // the handler may have found out what is the thread's to find out
}

}  // namespace

// The interrupted code never goes on; what it did before counts.
void heddle::wrapped::leave_handlers() {
  if (!g_recording || !has_record()) return;
  while (own_record()->interrupted != HEDDLE_NO_RECORD) own_record() = record_number(own_record()->interrupted);
  forget_core();
}

namespace heddle::record_run {

void use_signal_stack() {
  stack_t stack = {};
  if (sigaltstack(nullptr, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  void* memory =
      mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
  g_own_stack = memory;
}

void leave_signal_stack() {
  if (!g_own_stack) return;
  stack_t stack = {};
  sigaltstack(nullptr, &stack);
  if (stack.ss_sp == g_own_stack) {  // the program may use another by now
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
  }
  munmap(g_own_stack, kSignalStackBytes);
  g_own_stack = nullptr;
}

void watch_failures() {
  struct sigaction action = {};
  action.sa_sigaction = fail;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : kFatal) {
    struct sigaction old = {};
    heddle::wrapped::real_sigaction(number, nullptr, &old);
    if (old.sa_handler == SIG_DFL) heddle::wrapped::real_sigaction(number, &action, nullptr);
  }
}

}  // namespace heddle::record_run

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (number <= 0 || number >= NSIG || !g_recording) return heddle::wrapped::real_sigaction(number, action, old);
  return heddle::wrapped::set_action(number, action, old, handle, is_fatal(number) ? fail : nullptr);
}
