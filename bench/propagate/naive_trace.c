// SPDX-License-Identifier: Apache-2.0
//
// What one gets by writing down what all threads do, as it happens: linked with a
// program compiled with -fsanitize-coverage=edge,no-prune,trace-pc-guard,trace-loads,trace-stores,
// it keeps one trace of all loads, stores and blocks of all threads, in the order
// in which they came, and prints a hash of it to standard error at exit.
//
// A line of the trace is a place in the code, the number of the thread (in order
// of appearance) and, with NAIVE_ADDRESSES in the environment, the address. Nothing
// is done about addresses or schedules that differ from run to run; that is the point.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 1 << 21 };

struct Line {
  uint64_t code;
  uint64_t address;
  uint64_t thread;
};

extern char __executable_start;
static struct Line lines[kMost];
static _Atomic uint64_t count, threads;
static _Thread_local uint64_t thread;  // 0: not seen yet

static void record(const void* code, uint64_t address) {
  if (!thread) thread = ++threads;
  uint64_t number = count++;
  if (number >= kMost) abort();
  lines[number] = (struct Line){(uint64_t)((const char*)code - &__executable_start), address, thread};
}

#define ACCESS(name) \
  void name(const void* address) { record(__builtin_return_address(0), (uint64_t)address); }
ACCESS(__sanitizer_cov_load1)
ACCESS(__sanitizer_cov_load2)
ACCESS(__sanitizer_cov_load4)
ACCESS(__sanitizer_cov_load8)
ACCESS(__sanitizer_cov_load16)
ACCESS(__sanitizer_cov_store1)
ACCESS(__sanitizer_cov_store2)
ACCESS(__sanitizer_cov_store4)
ACCESS(__sanitizer_cov_store8)
ACCESS(__sanitizer_cov_store16)

void __sanitizer_cov_trace_pc_guard(uint32_t* guard) {
  (void)guard;
  record(__builtin_return_address(0), 0);
}
void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  (void)start;
  (void)stop;
}

__attribute__((destructor)) static void print_hash(void) {
  int with_addresses = getenv("NAIVE_ADDRESSES") != NULL;
  uint64_t hash = 1469598103934665603u;
  for (uint64_t i = 0; i < count; i++) {
    hash = (hash ^ lines[i].code) * 1099511628211u;
    hash = (hash ^ lines[i].thread) * 1099511628211u;
    if (with_addresses) hash = (hash ^ lines[i].address) * 1099511628211u;
  }
  fprintf(stderr, "%016llx %llu lines\n", (unsigned long long)hash, (unsigned long long)count);
}
