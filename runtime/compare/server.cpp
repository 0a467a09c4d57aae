// SPDX-License-Identifier: Apache-2.0
//
// The process that all runs are forked from. It has loaded the program and its
// libraries but run none of the program, so each run begins in the same state, and
// costs a fork.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

#include "abi/hooks.h"
#include "crashes.h"
#include "export.h"
#include "files.h"
#include "lane.h"
#include "memory_layout.h"
#include "positions.h"
#include "quiet.h"

using namespace heddle::compare;

namespace {

constexpr rlim_t kMostOutput = 256u << 20;
constexpr size_t kClearedStack = 64 << 10;

uint32_t answered;  // not on the stack, which all runs inherit

void futex(uint32_t& word, int operation, uint32_t value) {
  syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

void run_destructors() { __heddle_program_destructors(); }

// The stack below this call as it was when the process began: a fault may let the
// program read there, and must not find what earlier runs left in the server.
__attribute__((noinline)) void clear_stack() {
  char below[kClearedStack];
  memset(below, 0, sizeof below);
  asm volatile("" : : "r"(below) : "memory");
}

// The program's own part of the stack, with nothing of the server's near it, and at the
// same place however long the environment is.
[[noreturn]] __attribute__((noinline)) void enter_program(int argc, char** argv, char** environment) {
  const size_t to_boundary = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) % kClearedStack;
  const size_t size = to_boundary + kClearedStack;
  void* between = alloca(size);
  memset(between, 0, size);
  asm volatile("" : : "r"(between) : "memory");
  clear_stack();
  __heddle_program_constructors(argc, argv, environment);
  exit(__heddle_program_main(argc, argv, environment));
}

// In the forked child.
[[noreturn]] void run_program(int argc, char** argv, char** environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit output{kMostOutput, kMostOutput}, none{0, 0};
  setrlimit(RLIMIT_FSIZE, &output);
  setrlimit(RLIMIT_CORE, &none);
  redirect_output();
  signal(SIGINT, SIG_IGN);
  const uint32_t first = find_lane(HEDDLE_NO_LANE, 0);
  map_lane_memory(first);
  // Whether a wild address hits the memory of another thread must not depend on whether that has begun.
  for (uint32_t other = 0; !is_learning && other < channel->known_lanes; ++other)
    if (other != first) map_lane_memory(other);
  enter_lane(first);
  use_signal_stack();
  watch_crashes();
  atexit(leave_lane);
  atexit(run_destructors);
  enter_program(argc, argv, environment);
}

void clear_answer() {
  channel->end = HEDDLE_END_NONE;
  channel->code = 0;
  channel->injected = 0;
  channel->crash_lane = HEDDLE_NO_LANE;
  channel->crash_address = channel->injected_order = channel->spent = channel->orders = 0;
  channel->marks = channel->moved = channel->overflow = 0;
  channel->refusal[0] = 0;
  memset(channel->mark, 0, sizeof channel->mark);
  memset(channel->function_reached, 0, sizeof channel->function_reached);
  if (channel->question == HEDDLE_ASK_LEARN) {
    channel->known_lanes = channel->planned_lanes;
    channel->known_blocks = 0;
    memset(channel->known, 0, sizeof channel->known);
    for (uint32_t i = 0; i < channel->planned_lanes; ++i) {
      channel->known[i].parent = channel->plan[i].parent;
      channel->known[i].child_number = channel->plan[i].child_number;
    }
  } else {
    memset(channel->run, 0,
           (channel->lanes > channel->known_lanes ? channel->lanes : channel->known_lanes) * sizeof channel->run[0]);
  }
  channel->lanes = channel->known_lanes;
}

uint64_t used_nanoseconds() {
  uint64_t sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used;
    getrusage(who, &used);
    sum += static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u +
           static_cast<uint64_t>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
  }
  return sum;
}

// How the child ended; a run that does not end is ended.
void wait_for(pid_t child) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (handle < 0) {
    kill(child, SIGKILL);
    snprintf(channel->refusal, sizeof channel->refusal, "this kernel cannot wait for a process: %s", strerror(errno));
    channel->end = HEDDLE_END_REFUSED;
  }
  Quiet quiet(child, channel->cpu_nanoseconds, channel->quiet_nanoseconds);
  pollfd ended{handle, POLLIN, 0};
  while (handle >= 0) {
    const int ready = poll(&ended, 1, 20);
    if (ready > 0) break;
    const HeddleRunEnd verdict = quiet.look();
    if (verdict == HEDDLE_END_NONE) continue;
    if (verdict == HEDDLE_END_BLOCKED && !is_learning) note_positions(child);
    uint32_t nothing_yet = HEDDLE_END_NONE;
    __atomic_compare_exchange_n(&channel->end, &nothing_yet, static_cast<uint32_t>(verdict), false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    kill(child, SIGKILL);
  }
  close(handle);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (channel->end != HEDDLE_END_NONE) return;
  channel->end = WIFSIGNALED(status) ? HEDDLE_END_SIGNAL : HEDDLE_END_EXIT;
  channel->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void say_done(uint32_t question) {
  __atomic_store_n(&channel->done, question, __ATOMIC_SEQ_CST);
  futex(channel->done, FUTEX_WAKE, 1);
}

[[noreturn]] void serve(int argc, char** argv, char** environment) {
  for (;;) {
    while (__atomic_load_n(&channel->posted, __ATOMIC_SEQ_CST) == answered)
      futex(channel->posted, FUTEX_WAIT, answered);
    answered = __atomic_load_n(&channel->posted, __ATOMIC_SEQ_CST);
    if (channel->question == HEDDLE_ASK_STOP) _exit(0);
    if (channel->question == HEDDLE_ASK_ADOPT) {
      index_known_blocks();
      say_done(answered);
      continue;
    }
    clear_answer();
    is_learning = channel->question == HEDDLE_ASK_LEARN;
    lseek(0, 0, SEEK_SET);
    const pid_t child = fork();
    if (child == 0) run_program(argc, argv, environment);
    if (child < 0) {
      snprintf(channel->refusal, sizeof channel->refusal, "no new process: %s", strerror(errno));
      channel->end = HEDDLE_END_REFUSED;
    } else {
      wait_for(child);
    }
    channel->used_nanoseconds = used_nanoseconds();
    if (is_learning) index_known_blocks();
    say_done(answered);
  }
}

// By itself, without the host: nothing is compared.
int run_alone(int argc, char** argv, char** environment) {
  atexit(run_destructors);
  __heddle_program_constructors(argc, argv, environment);
  return __heddle_program_main(argc, argv, environment);
}

}  // namespace

HEDDLE_EXPORT int __heddle_runtime_main(int argc, char** argv, char** environment) {
  const char* variable = getenv(HEDDLE_COMPARISON_VARIABLE);
  // A thread without a lane compares nothing; its first header is never right.
  static uint64_t nothing[2];
  __heddle_cursor = nothing;
  if (!variable) return run_alone(argc, argv, environment);
  channel_file = atoi(variable);
  set_scratch(getenv(HEDDLE_SCRATCH_VARIABLE));
  unsetenv(HEDDLE_COMPARISON_VARIABLE);
  unsetenv(HEDDLE_SCRATCH_VARIABLE);
  void* memory = mmap(nullptr, sizeof(HeddleComparison), PROT_READ | PROT_WRITE, MAP_SHARED, channel_file, 0);
  if (memory == MAP_FAILED) _exit(71);
  channel = static_cast<HeddleComparison*>(memory);
  if (channel->magic != HEDDLE_COMPARISON_MAGIC || channel->version != HEDDLE_COMPARISON_VERSION) _exit(72);
  // Bytes that the kernel draws anew for each process; whoever needs them has read them.
  memset(reinterpret_cast<void*>(getauxval(AT_RANDOM)), 0x5a, 16);
  channel->segments = __heddle_segment_count;
  channel->functions = __heddle_function_count;
  __atomic_store_n(&channel->ready, 1u, __ATOMIC_SEQ_CST);
  futex(channel->ready, FUTEX_WAKE, 1);
  serve(argc, argv, environ);
}
