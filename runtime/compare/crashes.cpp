// SPDX-License-Identifier: Apache-2.0
#include "crashes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <initializer_list>

#include "lane.h"

namespace heddle::compare {
namespace {

constexpr size_t kSignalStackBytes = 32 << 10;

void note_crash(int signal, siginfo_t* info, void*) {
  uint32_t nobody_yet = HEDDLE_NO_LANE;
  if (__atomic_compare_exchange_n(&channel->crash_lane, &nobody_yet, lane.number, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST))
    channel->crash_address = signal == SIGABRT ? 0 : reinterpret_cast<uint64_t>(info->si_addr);
  if (!is_learning && lane.number != HEDDLE_NO_LANE) {
    const uint64_t position = lane.mode == LaneMode::kEqual     ? static_cast<uint64_t>(__heddle_cursor - lane.stream)
                              : lane.mode == LaneMode::kCareful ? lane.begun
                                                                : lane.meet_position;
    channel->run[lane.number].words = position;
    if (lane.mode == LaneMode::kEqual && position < lane.words)
      lane.segment = static_cast<uint32_t>(lane.stream[position] - 1);
    if (lane.segment >= __heddle_segment_count) lane.segment = HEDDLE_NO_SEGMENT;
    note_deviation(HEDDLE_DEVIATION_CRASH, position, 0, 0, static_cast<uint64_t>(signal), channel->crash_address);
  }
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  raise(signal);
}

}  // namespace

void use_signal_stack() {
  void* memory =
      mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = memory;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
}

void watch_crashes() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigaction(signal, &action, nullptr);
}

}  // namespace heddle::compare
