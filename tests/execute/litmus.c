// SPDX-License-Identifier: Apache-2.0
//
// Small programs that tell memory models apart, one per number. Each thread
// writes what it read into its own variables; main prints nothing and returns
// them as decimal digits of the exit code, so that a run is one number.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int x, y, z;
static atomic_int ax, ay;
static union { uint64_t whole; uint32_t half[2]; uint8_t byte[8]; } mixed;
static int r[4];
static int test;

static int load(atomic_int *from) { return atomic_load_explicit(from, memory_order_relaxed); }
static void store(atomic_int *to, int value) { atomic_store_explicit(to, value, memory_order_relaxed); }

static void *first(void *unused) {
  switch (test) {
    case 0: x = 1; r[0] = y; break;                                       // store buffering
    case 1: x = 1; r[0] = x; r[1] = y; break;                             // with forwarding
    case 2: x = 1; atomic_thread_fence(memory_order_seq_cst); r[0] = y; break;
    case 3: atomic_store(&ax, 1); r[0] = atomic_load(&ay); break;
    case 4: x = 1; atomic_fetch_add(&ax, 1); r[0] = y; break;
    case 5: x = 1; y = 1; break;                                          // message passing
    case 6: x = 1; atomic_store_explicit(&ay, 1, memory_order_release); break;
    case 7: x = 1; atomic_thread_fence(memory_order_release); store(&ay, 1); break;
    case 8: r[0] = x; y = 1; break;                                       // load buffering
    case 9: x = 1; y = 2; break;                                          // two writes each
    case 10: mixed.half[0] = 1; r[0] = (int)mixed.whole; r[1] = y; break; // partly forwarded: waits
    case 11: x = 1; x = 2; break;                                         // one location
    case 12: mixed.half[1] = 1; mixed.byte[4] = 2; y = 1; break;          // overlapping stores keep order
    case 13: store(&ax, 1); break;                                        // readers agree on the order of writes
    case 14: atomic_store_explicit(&ax, 1, memory_order_release); y = 1; break;  // a release orders earlier stores only
    case 15: x = 1; { int none = 5; atomic_compare_exchange_strong(&ax, &none, 6); } r[0] = y; break;
    case 16: x = 1; atomic_thread_fence(memory_order_acquire); r[0] = y; break;
  }
  return unused;
}

static void *second(void *unused) {
  switch (test) {
    case 0: case 16: y = 1; r[1] = x; break;
    case 1: y = 1; r[2] = y; r[3] = x; break;
    case 2: y = 1; atomic_thread_fence(memory_order_seq_cst); r[1] = x; break;
    case 3: atomic_store(&ay, 1); r[1] = atomic_load(&ax); break;
    case 4: y = 1; atomic_fetch_add(&ay, 1); r[1] = x; break;
    case 5: r[0] = y; r[1] = x; break;
    case 6: case 7: r[0] = load(&ay); r[1] = x; break;
    case 8: r[1] = y; x = 1; break;
    case 9: y = 1; x = 2; break;
    case 10: y = 1; atomic_thread_fence(memory_order_seq_cst); r[2] = mixed.half[0] == 1; break;
    case 11: r[0] = x; r[1] = x; break;
    case 12: r[0] = y; r[1] = (int)mixed.half[1]; break;
    case 13: store(&ay, 1); break;
    case 14: r[0] = y; r[1] = load(&ax); break;
    case 15: y = 1; { int none = 5; atomic_compare_exchange_strong(&ay, &none, 6); } r[1] = x; break;
  }
  return unused;
}

static void *third(void *unused) { r[0] = load(&ax); r[1] = load(&ay); return unused; }
static void *fourth(void *unused) { r[2] = load(&ay); r[3] = load(&ax); return unused; }

int main(int argc, char **argv) {
  pthread_t threads[4];
  (void)argc;
  test = atoi(argv[1]);
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  const int readers = test == 13;
  if (readers) pthread_create(&threads[2], 0, third, 0);
  if (readers) pthread_create(&threads[3], 0, fourth, 0);
  for (int i = 0; i < (readers ? 4 : 2); ++i) pthread_join(threads[i], 0);
  if (test == 9) return x * 10 + y;
  if (test == 14 || test == 12) return r[0] * 10 + r[1];
  return (r[0] & 1) * 8 + (r[1] & 1) * 4 + (r[2] & 1) * 2 + (r[3] & 1) + (r[0] == 2) * 32 + (r[1] == 2) * 16;
}
