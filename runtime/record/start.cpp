// SPDX-License-Identifier: Apache-2.0
//
// Before anything of the program runs: the file of the recording is mapped and the first thread
// gets its record. A program that nobody records, or whose file cannot be mapped, runs as ever.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/version.h"
#include "record.h"

using namespace heddle::record_run;

namespace {

// A child that the program forked is not recorded. Its code goes on writing bits: into memory of its own.
void leave_recording() {
  if (!g_recording) return;
  ignore_core();
  void* begin = g_recording;
  const uint64_t tables = g_recording->chunks_offset, whole = g_recording->file_bytes;
  g_recording = nullptr;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (mmap(begin, tables, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED) return;
  munmap(static_cast<unsigned char*>(begin) + tables, whole - tables);
}

void count_child() {
  if (g_recording) __atomic_fetch_add(&g_recording->forked, 1u, __ATOMIC_RELAXED);
}

HeddleRecording* map_recording(int file) {
  HeddleRecording head;
  if (pread(file, &head, sizeof head, 0) != sizeof head || head.magic != HEDDLE_RECORDING_MAGIC) return nullptr;
  void* memory = mmap(nullptr, head.file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, head.file_bytes,
          MADV_RANDOM);  // nobody reads here: a page that is not there yet is no reason to fetch others
  auto* recording = static_cast<HeddleRecording*>(memory);
  const bool fits =
      head.version == HEDDLE_RECORDING_VERSION && __heddle_program_version == HEDDLE_INSTRUMENTATION_VERSION;
  recording->ready = fits ? 1 : 2;
  if (fits) return recording;
  munmap(memory, head.file_bytes);
  return nullptr;
}

__attribute__((constructor(101))) void begin_recording() {
  const char* variable = getenv(HEDDLE_RECORDING_VARIABLE);
  if (!variable) return;
  const int file = atoi(variable);
  unsetenv(HEDDLE_RECORDING_VARIABLE);
  g_recording = map_recording(file);
  close(file);
  if (!g_recording) return;
  HeddlePath* first = new_record(HEDDLE_NO_RECORD, 0);
  if (!first) {
    g_recording = nullptr;
    return;
  }
  first->process_thread = static_cast<int32_t>(syscall(SYS_gettid));
  own_record() = first;
  pthread_atfork(nullptr, count_child, leave_recording);
  use_signal_stack();
  watch_failures();
  if (g_recording->marks_cores && can_watch_cores()) {
    g_recording->cores = HEDDLE_CORES_MARKED;
    watch_core();
  }
}

}  // namespace

// What <heddle.h> means in a program that runs by itself.
HEDDLE_EXPORT void __heddle_assert_failed(const char* condition, const char* file, unsigned line,
                                          const char* function) {
  printf("%s:%u: %s: assertion %s failed\n", file, line, function, condition);
  abort();
}
HEDDLE_EXPORT void __heddle_assume(int condition) {
  if (!condition) exit(0);
}
HEDDLE_EXPORT void __heddle_observe(const char*, long long) {}
HEDDLE_EXPORT int __heddle_nondet_int(int lowest, int) { return lowest; }
