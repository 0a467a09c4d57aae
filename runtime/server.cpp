// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "carrier.h"
#include "descriptors.h"
#include "exits.h"
#include "failure.h"
#include "given_inputs.h"
#include "heap.h"
#include "mappings.h"
#include "program_image.h"
#include "program_threads.h"
#include "pthread_keys.h"
#include "real.h"
#include "recorder.h"
#include "scheduler.h"
#include "service_heap.h"
#include "signals.h"
#include "slots.h"
#include "snapshot.h"
#include "support.h"
#include "sync_objects.h"
#include "tracked.h"

extern char** environ;

namespace heddle::rt {
namespace {

constexpr uint64_t kArgumentsBase = kSlotBase - (64ull << 20);
constexpr uint32_t kMostNames = 1u << 16;

struct Arguments {
  int count;
  char** values;
  char** environment;
  char* image;  // as they were, to be restored
  char* start;
  size_t size;
};
Arguments g_arguments;
bool g_used;  // a run has left its traces in this process

// Arguments and environment at an address that does not depend on their size.
void place_arguments(int count, char** values, char** environment) {
  size_t strings = 0, variables = 0;
  for (int i = 0; i < count; ++i) strings += strlen(values[i]) + 1;
  for (; environment[variables]; ++variables) strings += strlen(environment[variables]) + 1;
  const size_t pointers = (static_cast<size_t>(count) + variables + 2) * sizeof(char*);
  const size_t size = (pointers + strings + 4095) & ~4095ull;
  char* start = static_cast<char*>(real.mmap(reinterpret_cast<void*>(kArgumentsBase), size, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  if (start != reinterpret_cast<char*>(kArgumentsBase)) runtime_broken("no room for the arguments");
  char** pointer = reinterpret_cast<char**>(start);
  char* text = start + pointers;
  g_arguments = {count, pointer, pointer + count + 1, static_cast<char*>(runtime_memory(size)), start, size};
  for (int list = 0; list < 2; ++list) {
    for (char** from = list ? environment : values; *from; ++from) {
      *pointer++ = text;
      text = stpcpy(text, *from) + 1;
    }
    *pointer++ = nullptr;
  }
  memcpy(g_arguments.image, start, size);
  environ = g_arguments.environment;
}

HeddleChannel* map_channel() {
  const char* variable = getenv(HEDDLE_CHANNEL_VARIABLE);
  if (!variable) {
    static const char kMessage[] = "heddle: this is an instrumented program; run it with heddle\n";
    (void)!real.write(2, kMessage, sizeof kMessage - 1);
    real.exit_now(3);
    __builtin_unreachable();
  }
  const int file = atoi(variable);
  struct stat info;
  if (fstat(file, &info) != 0) runtime_broken("the channel is not open");
  void* memory = real.mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) runtime_broken("cannot map the channel");
  close(file);
  unsetenv(HEDDLE_CHANNEL_VARIABLE);
  unsetenv("LD_BIND_NOW");
  HeddleChannel* channel = static_cast<HeddleChannel*>(memory);
  if (channel->magic != HEDDLE_CHANNEL_MAGIC || channel->version != HEDDLE_CHANNEL_VERSION ||
      __heddle_program_version != HEDDLE_INSTRUMENTATION_VERSION)
    runtime_broken("host, runtime and program are of different versions");
  return channel;
}

void* program_entry(void*) {
  const Arguments& a = g_arguments;
  __heddle_program_constructors(a.count, a.values, a.environment);
  const int code = __heddle_program_main(a.count, a.values, a.environment);
  exit_program(*g.current, code);
}

void restore_process() {
  reset_threads();
  reset_sync_objects();
  reset_heap();
  reset_exit_handlers();
  reset_keys();
  reset_signals();
  reset_mappings();
  reset_given_inputs();
  reset_slots();
  snapshot_restore(g.libraries_dirty);
  memcpy(g_arguments.start, g_arguments.image, g_arguments.size);
  g.libraries_dirty = false;
}

void run_request(const HeddleRequest& request) {
  if (g_used) restore_process();
  g_used = true;
  lseek(0, 0, SEEK_SET);
  __atomic_store_n(&g.channel->current_request, request.number + 1, __ATOMIC_RELEASE);
  append(HeddleRecord{HEDDLE_FRAME_RUN_BEGIN, 0, 0, 0, 0, 0, 0, 0, request.number, 0});
  if (!g.by_name) g.by_name = static_cast<Thread**>(runtime_memory(kMostNames * sizeof(Thread*)));
  memset(g.by_name, 0, request.names * sizeof(Thread*));
  tracked_begin(__heddle_program_calls_unknown != 0);
  scheduler_begin(request);
  g.finished = false;
  g.active = true;
  g.current = nullptr;
  g.current = new_thread(nullptr, program_entry, nullptr, {});
  carrier_run(*g.current);
  __atomic_store_n(&g.channel->current_request, 0u, __ATOMIC_RELEASE);
}

// The child runs the program; its end, however it comes, is seen here.
void run_in_child(const HeddleRequest& request) {
  constexpr uint32_t kMostPrepared = 256;
  const bool fibers = g.channel->carrier == HEDDLE_CARRIER_FIBER;
  const uint32_t wanted = g.channel->slots_used;
  if (fibers) prepare_slots(wanted < kMostPrepared ? wanted : kMostPrepared);
  const pid_t child = _Fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // not inherited: nobody must survive the host
    run_request(request);
    real.exit_now(0);
  }
  if (child < 0) runtime_broken("cannot fork");
  __atomic_store_n(&g.channel->child, child, __ATOMIC_RELEASE);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  __atomic_store_n(&g.channel->child, 0, __ATOMIC_RELEASE);
  recorder_attach(g.channel);
  const bool clean = __atomic_load_n(&g.channel->current_request, __ATOMIC_ACQUIRE) == 0;
  if (!clean && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
    append(HeddleRecord{HEDDLE_FRAME_RUN_END, 0, 0, 0, HEDDLE_NO_THREAD, 0, 0, 0, HEDDLE_OUTCOME_KILLED,
                        static_cast<uint64_t>(static_cast<uint32_t>(status))});
  }
  __atomic_store_n(&g.channel->current_request, 0u, __ATOMIC_RELEASE);
}

void run_batch() {
  const char* next = reinterpret_cast<const char*>(g.channel + 1);
  for (uint32_t i = 0; i < g.channel->requests; ++i) {
    const HeddleRequest& request = *reinterpret_cast<const HeddleRequest*>(next);
    if (g.channel->isolation == HEDDLE_ISOLATION_FORK) {
      run_in_child(request);
    } else {
      run_request(request);
    }
    next += request.bytes;
  }
}

}  // namespace

void detach_from_host() {
  constexpr uint32_t kRecords = 1024;
  HeddleChannel* own =
      static_cast<HeddleChannel*>(runtime_memory(sizeof(HeddleChannel) + kRecords * sizeof(HeddleRecord)));
  *own = *g.channel;
  own->request_bytes = 0;
  own->ring_records = kRecords;
  recorder_attach(own);
  g.room_until = ~0ull;  // older records are overwritten; nobody reads them
  g.detached = true;
  // The schedule is the parent's, and so are all threads but the one that forked.
  g.step = g.step_count = 0;
  g.strategy = HEDDLE_STRATEGY_DEFAULT;
  g.first = g.current;
  g.current->next = g.current->previous = nullptr;
  g.live = 1;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int __heddle_runtime_main(int argc, char** argv, char** environment) {
  find_real_functions();
  note_outside_descriptors();
  HeddleChannel* channel = map_channel();
  place_arguments(argc, argv, environment);
  find_program_image();
  recorder_attach(channel);
  if (!choose_carrier(static_cast<HeddleCarrier>(channel->carrier))) {
    __atomic_store_n(&channel->ready, 2u, __ATOMIC_RELEASE);
    wake_host();
    real.exit_now(0);
  }
  install_crash_handlers();
  setvbuf(stdout, nullptr, isatty(1) ? _IOLBF : _IOFBF, 1 << 16);
  use_service_heap();
  keys_remember();
  if (channel->carrier == HEDDLE_CARRIER_FIBER) {
    prepare_slots(1);  // from here on the C library knows that there are threads
  }
  snapshot_take();
  __atomic_store_n(&channel->ready, 1u, __ATOMIC_RELEASE);
  wake_host();

  uint32_t done = 0;
  for (;;) {
    uint32_t posted;
    while ((posted = __atomic_load_n(&channel->posted, __ATOMIC_ACQUIRE)) == done) {
      if (__atomic_load_n(&channel->quit, __ATOMIC_ACQUIRE)) real.exit_now(0);
      futex_wait(&channel->posted, done);
    }
    if (__atomic_load_n(&channel->quit, __ATOMIC_ACQUIRE)) real.exit_now(0);
    run_batch();
    done = posted;
    __atomic_store_n(&channel->done, done, __ATOMIC_RELEASE);
    wake_host();
    if (channel->isolation == HEDDLE_ISOLATION_FRESH) real.exit_now(0);
  }
}
