// SPDX-License-Identifier: Apache-2.0
#include "carrier.h"

#include <immintrin.h>
#include <sys/auxv.h>

#include <boost/context/detail/fcontext.hpp>

#include "program_threads.h"
#include "signals.h"
#include "slots.h"
#include "support.h"

namespace heddle::rt {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

HeddleCarrier g_carrier;
void* g_server_context;
uint64_t g_server_fs;
uint32_t g_run_over;  // thread carrier: the server sleeps on it

__attribute__((target("fsgsbase"))) inline void set_fs(uint64_t base) { _writefsbase_u64(base); }
__attribute__((target("fsgsbase"))) inline uint64_t get_fs() { return _readfsbase_u64(); }

// Every jump passes the place where the one who jumps wants its context kept;
// the one who arrives puts it there.
void arrived(transfer_t from) { *static_cast<void**>(from.data) = from.fctx; }

void fiber_entry(transfer_t from) {
  arrived(from);
  thread_main(*g.current);
}

// Thread carrier: the entry on the stack of the slot. There is nothing to go
// back to, so the context of the operating-system thread's own stack is dropped.
void baton_entry(transfer_t from) { thread_main(*static_cast<Thread*>(from.data)); }

void wait_for_baton(Slot& slot) {
  while (__atomic_load_n(&slot.baton, __ATOMIC_ACQUIRE) != 3) futex_wait(&slot.baton, 2);
  __atomic_store_n(&slot.baton, 2u, __ATOMIC_RELEASE);
}

void pass_baton(Slot& slot) {
  __atomic_store_n(&slot.baton, 3u, __ATOMIC_RELEASE);
  futex_wake(&slot.baton);
}

[[noreturn]] void sleep_for_ever() {
  static uint32_t never;
  for (;;) futex_wait(&never, 0);
}

void lend_only(Slot&) { sleep_for_ever(); }

void run_with_baton(Slot& slot) {
  install_signal_stack();
  wait_for_baton(slot);
  Thread& thread = *slot.thread;
  fcontext_t context = make_fcontext(thread.stack_top, slot.stack_size, baton_entry);
  jump_fcontext(context, &thread);
  sleep_for_ever();
}

void jump(void*& own_context, void* to, uint64_t to_fs) {
  set_fs(to_fs);
  arrived(jump_fcontext(to, &own_context));
}

}  // namespace

bool choose_carrier(HeddleCarrier carrier) {
  constexpr unsigned long kUserFsBase = 2;  // HWCAP2_FSGSBASE
  g_carrier = carrier;
  slot_thread_body = carrier == HEDDLE_CARRIER_FIBER ? lend_only : run_with_baton;
  return carrier == HEDDLE_CARRIER_THREAD || (getauxval(AT_HWCAP2) & kUserFsBase);
}

void carrier_prepare(Thread& thread) {
  Slot& slot = *thread.slot;
  slot.thread = &thread;
  lend_thread_storage(slot);
  if (g_carrier == HEDDLE_CARRIER_FIBER) thread.context = make_fcontext(thread.stack_top, slot.stack_size, fiber_entry);
}

void carrier_switch(Thread& self, Thread& next) {
  if (g_carrier == HEDDLE_CARRIER_FIBER) {
    jump(self.context, next.context, next.slot->fs_base);
  } else {
    pass_baton(*next.slot);
    wait_for_baton(*self.slot);
  }
}

void carrier_leave(Thread& self, Thread& next) {
  if (g_carrier == HEDDLE_CARRIER_FIBER) {
    jump(self.context, next.context, next.slot->fs_base);
    __builtin_unreachable();
  }
  pass_baton(*next.slot);
  sleep_for_ever();
}

void carrier_run(Thread& first) {
  if (g_carrier == HEDDLE_CARRIER_FIBER) {
    g_server_fs = get_fs();
    jump(g_server_context, first.context, first.slot->fs_base);
  } else {
    __atomic_store_n(&g_run_over, 0u, __ATOMIC_RELEASE);
    pass_baton(*first.slot);
    while (!__atomic_load_n(&g_run_over, __ATOMIC_ACQUIRE)) futex_wait(&g_run_over, 0);
  }
}

void carrier_finish() {
  if (g_carrier == HEDDLE_CARRIER_FIBER) {
    void* dropped;
    jump(dropped, g_server_context, g_server_fs);
    __builtin_unreachable();
  }
  __atomic_store_n(&g_run_over, 1u, __ATOMIC_RELEASE);
  futex_wake(&g_run_over);
  sleep_for_ever();
}

}  // namespace heddle::rt
