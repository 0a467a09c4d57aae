// SPDX-License-Identifier: Apache-2.0
//
// When a thread is taken off its core, the kernel clears a pointer in the thread's area for
// restartable sequences if it points to a sequence that the thread is not in. So each thread
// points to an empty one; where the program's code finds the pointer cleared, after a store to
// shared memory, it calls `__heddle_core_changed`, which writes down the core and the time and
// points there again. If that happens to be interrupted, the next store finds out.
#include <stdint.h>
#include <sys/rseq.h>
#include <time.h>
#include <x86intrin.h>

#include "record.h"

using namespace heddle::record_run;

namespace {

// Where the C library says, relative to the thread pointer.
struct rseq* own_area() {
  return reinterpret_cast<struct rseq*>(static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset);
}

// The kernel looks for this signature before the place that an interrupted sequence goes to.
__attribute__((naked, used)) void never_reached() {
  __asm__(
      ".long 0x53053053\n.globl heddle_never_reached\n.hidden heddle_never_reached\nheddle_never_reached:\nud2\nnop");
}
extern "C" char heddle_never_reached[];

// A sequence that no code of the program lies in; null: not in use.
struct rseq_cs* g_sequence;

void make_sequence() {
  static struct rseq_cs sequence;
  sequence.abort_ip = reinterpret_cast<uint64_t>(heddle_never_reached);
  sequence.start_ip = sequence.abort_ip + 2;  // the place to go to must not lie in the sequence itself
  sequence.post_commit_offset = 1;
  g_sequence = &sequence;
}

void point_to(const void* sequence) {
  __atomic_store_n(&own_area()->rseq_cs, reinterpret_cast<uint64_t>(sequence), __ATOMIC_RELAXED);
}

void note_core(HeddlePath& record, uint32_t site) {
  point_to(g_sequence);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // whatever is read after this and outdated is found out
  const uint64_t words[] = {position(record), __atomic_load_n(&own_area()->cpu_id, __ATOMIC_RELAXED), __rdtsc()};
  note(record, HEDDLE_NOTE_CORE, site, words, 3);
}

}  // namespace

namespace heddle::record_run {

bool can_watch_cores() {
  if (__rseq_size == 0) return false;
  make_sequence();
  point_to(g_sequence);
  // A call that sleeps must clear it; on a kernel that leaves it there nothing can be told.
  const timespec moment = {0, 1000};
  nanosleep(&moment, nullptr);
  const bool works = __atomic_load_n(&own_area()->rseq_cs, __ATOMIC_RELAXED) == 0;
  point_to(nullptr);
  return works;
}

void watch_core() {
  HeddlePath* record = recorded_thread();
  if (!record) return;
  note_core(*record, 0);
  *__heddle_core_address() = reinterpret_cast<const volatile uint64_t*>(&own_area()->rseq_cs);
}

void forget_core() {
  if (*__heddle_core_address() != &__heddle_no_core) point_to(nullptr);
}

void ignore_core() {
  forget_core();
  *__heddle_core_address() = &__heddle_no_core;
}

}  // namespace heddle::record_run

HEDDLE_EXPORT __attribute__((preserve_most)) void __heddle_core_changed(uint32_t site) {
  if (g_recording && has_record()) note_core(*own_record(), site);
}
