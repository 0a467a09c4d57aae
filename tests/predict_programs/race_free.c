// SPDX-License-Identifier: Apache-2.0
//
// Programs without a race, a deadlock or a use after free, chosen by the first
// argument: nothing may be found in any of them. Each is one or two functions that
// two threads run, with what synchronises them.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t items, slots;
static int data, ready;
static atomic_int flag, count;
static _Atomic(int *) pointer;
static int *block;

static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }

static void count_under_lock(void) { for (int i = 0; i < 3; ++i) { lock(); ++data; unlock(); } }
static void count_by_trying(void) { if (pthread_mutex_trylock(&m) == 0) { ++data; unlock(); } }
static void read_shared(void) { pthread_rwlock_rdlock(&rw); if (data > 1) abort(); pthread_rwlock_unlock(&rw); }
static void write_alone(void) { pthread_rwlock_wrlock(&rw); ++data; pthread_rwlock_unlock(&rw); }
static void read_only_shared(void) { pthread_rwlock_rdlock(&rw); if (data) abort(); pthread_rwlock_unlock(&rw); }
static void wait_ready(void) { lock(); while (!ready) pthread_cond_wait(&c, &m); unlock(); if (data != 1) abort(); data = 2; }
static void set_ready(void) { data = 1; lock(); ready = 1; pthread_cond_signal(&c); unlock(); }
static void set_ready_for_all(void) { data = 1; lock(); ready = 1; pthread_cond_broadcast(&c); unlock(); }
static void produce(void) { for (int i = 0; i < 3; ++i) { sem_wait(&slots); data = i; sem_post(&items); } }
static void consume(void) { for (int i = 0; i < 3; ++i) { sem_wait(&items); if (data != i) abort(); sem_post(&slots); } }
static void write_before_barrier(void) { data = 1; pthread_barrier_wait(&barrier); pthread_barrier_wait(&barrier); }
static void write_between_barriers(void) { pthread_barrier_wait(&barrier); data = 2; pthread_barrier_wait(&barrier); }
static void publish(void) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); }
static void receive(void) { if (atomic_load_explicit(&flag, memory_order_acquire)) data = 2; }
static void publish_by_fence(void) { data = 1; atomic_thread_fence(memory_order_release); atomic_store_explicit(&flag, 1, memory_order_relaxed); }
static void receive_by_fence(void) { if (atomic_load_explicit(&flag, memory_order_relaxed)) { atomic_thread_fence(memory_order_acquire); data = 2; } }
static void count_atomically(void) { for (int i = 0; i < 3; ++i) atomic_fetch_add(&count, 1); }
static void last_one_writes(void) { if (atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel) == 1) data = 2; }
static void first_then_counts(void) { data = 1; atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel); }
static void initialise(void) { data = 1; }
static void use_once(void) { pthread_once(&once, initialise); if (data != 1) abort(); }
static void double_checked(void) {
  if (!atomic_load_explicit(&pointer, memory_order_acquire)) {
    lock();
    if (!atomic_load_explicit(&pointer, memory_order_relaxed)) {
      int *made = malloc(sizeof *made);
      *made = 7;
      atomic_store_explicit(&pointer, made, memory_order_release);
    }
    unlock();
  }
  if (*atomic_load_explicit(&pointer, memory_order_acquire) != 7) abort();
}
static void spin_lock(void) { pthread_spin_lock(&spin); ++data; pthread_spin_unlock(&spin); }
static void both_locks(void) { lock(); pthread_mutex_lock(&n); ++data; pthread_mutex_unlock(&n); unlock(); }
static void own_lock_by_exchange(void) {
  if (atomic_exchange_explicit(&flag, 1, memory_order_acquire) == 0) { ++data; atomic_store_explicit(&flag, 0, memory_order_release); }
}
static void take_by_compare(void) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&flag, &expected, 1)) data = 3;
}
static void free_if_last(void) {
  if (*block != 5) abort();
  if (atomic_fetch_sub_explicit(&count, 1, memory_order_acq_rel) == 1) free(block);
}
static void nothing(void) {}
static void hand_over(void) { lock(); data = 1; ready = 1; unlock(); }
static void take_over(void) { lock(); const int seen = ready; unlock(); if (seen) data = 2; }

typedef void (*Part)(void);
static const Part parts[][2] = {
    {count_under_lock, count_under_lock},   {count_by_trying, count_under_lock},
    {write_alone, read_shared},             {read_only_shared, read_only_shared},
    {set_ready, wait_ready},                {set_ready_for_all, wait_ready},
    {produce, consume},                     {write_before_barrier, write_between_barriers},
    {publish, receive},                     {publish_by_fence, receive_by_fence},
    {count_atomically, count_atomically},   {first_then_counts, last_one_writes},
    {use_once, use_once},                   {double_checked, double_checked},
    {spin_lock, spin_lock},                 {both_locks, both_locks},
    {own_lock_by_exchange, own_lock_by_exchange}, {take_by_compare, take_by_compare},
    {free_if_last, free_if_last},           {nothing, count_under_lock},
    {hand_over, take_over},                 {both_locks, count_under_lock},
};

static void *run(void *part) {
  (*(const Part *)part)();
  return NULL;
}

int main(int argc, char **argv) {
  const int chosen = argc > 1 ? atoi(argv[1]) : 0;
  if (chosen < 0 || chosen >= (int)(sizeof parts / sizeof *parts)) return 77;  // there is none
  pthread_t threads[2];
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&items, 0, 0);
  sem_init(&slots, 0, 1);
  block = malloc(sizeof *block);
  *block = 5;
  if (parts[chosen][0] == free_if_last) count = 2;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run, (void *)&parts[chosen][i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
