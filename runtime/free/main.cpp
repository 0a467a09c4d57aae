// SPDX-License-Identifier: Apache-2.0
//
// A free run: the program, once, at its own pace.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/channel.h"
#include "abi/hooks.h"
#include "log.h"

extern "C" [[noreturn]] void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;

using namespace heddle::free_run;

namespace {

HeddleFreeChannel* map_channel() {
  const char* variable = getenv(HEDDLE_CHANNEL_VARIABLE);
  struct stat info;
  if (!variable || fstat(atoi(variable), &info) != 0) {
    fputs("heddle: this is an instrumented program; run it with heddle\n", stderr);
    _exit(3);
  }
  void* memory =
      mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(variable), 0);
  close(atoi(variable));
  unsetenv(HEDDLE_CHANNEL_VARIABLE);
  unsetenv("LD_BIND_NOW");
  HeddleFreeChannel* channel = static_cast<HeddleFreeChannel*>(memory);
  if (memory == MAP_FAILED || channel->magic != HEDDLE_FREE_MAGIC || channel->version != HEDDLE_CHANNEL_VERSION ||
      __heddle_program_version != HEDDLE_INSTRUMENTATION_VERSION) {
    fputs("heddle: internal error in the target: host, runtime and program are of different versions\n", stderr);
    _exit(70);
  }
  return channel;
}

void log_exit(int code, void*) {
  Log& log = own_log();
  record(log, HEDDLE_EXIT, 0, 0, 0, log.site, 0, static_cast<uint64_t>(code & 0xff), 0, next_sequence());
}

}  // namespace

HEDDLE_EXPORT int __heddle_runtime_main(int argc, char** argv, char** environment) {
  HeddleFreeChannel* channel = map_channel();
  g_channel = channel;
  new_log(register_thread(HEDDLE_NO_THREAD, 0));
  pthread_atfork(nullptr, nullptr, detach);
  on_exit(log_exit, nullptr);
  atexit(__heddle_program_destructors);
  __atomic_store_n(&channel->ready, 1u, __ATOMIC_RELEASE);
  __heddle_program_constructors(argc, argv, environment);
  exit(__heddle_program_main(argc, argv, environment));
}

HEDDLE_EXPORT void __heddle_assert_failed(const char* condition, const char* file, unsigned line,
                                          const char* function) {
  __assert_fail(condition, file, line, function);
}
HEDDLE_EXPORT void __heddle_assume(int condition) {
  if (!condition) _exit(0);
}
HEDDLE_EXPORT void __heddle_observe(const char* name, long long value) {
  Log& log = own_log();
  record(log, HEDDLE_OBSERVE, 0, 0, 0, log.site, 0, static_cast<uint64_t>(value), 0);
  HeddleRecord text = {};
  text.kind = HEDDLE_TEXT;
  text.thread = log.number;
  text.index = log.index;
  text.size = static_cast<uint8_t>(strnlen(name, HEDDLE_TEXT_BYTES));
  memcpy(&text.address, name, text.size);
  append(log, text, 0);
}
HEDDLE_EXPORT int __heddle_nondet_int(int lowest, int) { return lowest; }
