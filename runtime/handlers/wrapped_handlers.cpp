// SPDX-License-Identifier: Apache-2.0
//
// Part of every runtime that wraps handlers.
#include "wrapped_handlers.h"

#include <dlfcn.h>
#include <setjmp.h>

#include "export.h"

namespace heddle::wrapped {

namespace {

// What the program asked for.
struct sigaction g_actions[NSIG];

}  // namespace

int real_sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  static const auto real = reinterpret_cast<decltype(&real_sigaction)>(dlsym(RTLD_NEXT, "sigaction"));
  return real(number, action, old);
}

Handler take_handler(int number) {
  const auto handler = __atomic_load_n(&g_actions[number].sa_sigaction, __ATOMIC_ACQUIRE);
  if (g_actions[number].sa_flags & static_cast<int>(SA_RESETHAND)) g_actions[number].sa_handler = SIG_DFL;
  return handler;
}

int set_action(int number, const struct sigaction* action, struct sigaction* old, Handler handle, Handler otherwise) {
  const struct sigaction before = g_actions[number];
  struct sigaction kernel = {}, kernel_before = {};
  const bool handled = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
  if (action) kernel = *action;
  if (handled) {
    kernel.sa_sigaction = handle;
    kernel.sa_flags |= SA_SIGINFO;
    __atomic_store_n(&g_actions[number].sa_sigaction, action->sa_sigaction, __ATOMIC_RELEASE);
    g_actions[number].sa_flags = action->sa_flags;
    g_actions[number].sa_mask = action->sa_mask;
  } else if (action && action->sa_handler == SIG_DFL && otherwise) {
    kernel.sa_sigaction = otherwise;
    kernel.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  }
  const int result = real_sigaction(number, action ? &kernel : nullptr, &kernel_before);
  if (result != 0 && handled) g_actions[number] = before;
  if (result != 0 || !old) return result;
  *old = kernel_before.sa_sigaction == handle ? before : kernel_before;
  if (otherwise && kernel_before.sa_sigaction == otherwise) {
    *old = {};
    old->sa_handler = SIG_DFL;
  }
  return result;
}

}  // namespace heddle::wrapped

HEDDLE_EXPORT void (*signal(int number, void (*handler)(int)) noexcept)(int) {
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

extern "C" [[noreturn]] void __longjmp_chk(jmp_buf environment, int value);

#define HEDDLE_JUMP(name, buffer)                                                              \
  HEDDLE_EXPORT void name(buffer environment, int value) {                                     \
    static const auto real = reinterpret_cast<void (*)(buffer, int)>(dlsym(RTLD_NEXT, #name)); \
    heddle::wrapped::leave_handlers();                                                         \
    real(environment, value);                                                                  \
    __builtin_unreachable();                                                                   \
  }
HEDDLE_JUMP(longjmp, jmp_buf)
HEDDLE_JUMP(_longjmp, jmp_buf)
HEDDLE_JUMP(siglongjmp, sigjmp_buf)
HEDDLE_JUMP(__longjmp_chk, jmp_buf)
