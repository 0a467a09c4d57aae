// SPDX-License-Identifier: Apache-2.0
//
// Two bugs, each beside one of many primitives of synchronisation, which a macro
// chooses. Neither depends on the primitive, so neither should its reproduction.
//
//   lost update   two threads read a counter in one critical section and write it in another
//   too early     a thread is told that data is there before it is
//
// The pauses make the bugs nearly certain. They are no operations, so a controlled run does not see them.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <mutex>
#include <semaphore>

__attribute__((noinline)) static void pause_for_a_while() {
  long rounds = 8000000;
  asm volatile("1: dec %0\n jnz 1b" : "+r"(rounds));
}

[[maybe_unused]] static timespec in_an_hour() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += 3600;
  return now;
}

[[maybe_unused]] static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#if defined(MUTEX)
static void lock() { pthread_mutex_lock(&mutex); }
static void unlock() { pthread_mutex_unlock(&mutex); }
#elif defined(TIMED_MUTEX)
static void lock() {
  const timespec end = in_an_hour();
  while (pthread_mutex_timedlock(&mutex, &end)) {
  }
}
static void unlock() { pthread_mutex_unlock(&mutex); }
#elif defined(RECURSIVE_MUTEX)
static std::recursive_mutex recursive;
static void lock() { recursive.lock(), recursive.lock(); }
static void unlock() { recursive.unlock(), recursive.unlock(); }
#elif defined(RWLOCK)
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void lock() { pthread_rwlock_wrlock(&rwlock); }
static void unlock() { pthread_rwlock_unlock(&rwlock); }
#elif defined(TIMED_RWLOCK)
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void lock() {
  const timespec end = in_an_hour();
  while (pthread_rwlock_timedwrlock(&rwlock, &end)) {
  }
}
static void unlock() { pthread_rwlock_unlock(&rwlock); }
#elif defined(WRITER_RWLOCK)
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static void lock() { pthread_rwlock_wrlock(&rwlock); }
static void unlock() { pthread_rwlock_unlock(&rwlock); }
#elif defined(SEMAPHORE) || defined(TIMED_SEMAPHORE)
static sem_t semaphore;
__attribute__((constructor)) static void make() { sem_init(&semaphore, 0, 1); }
static void lock() {
#ifdef SEMAPHORE
  sem_wait(&semaphore);
#else
  const timespec end = in_an_hour();
  while (sem_timedwait(&semaphore, &end)) {
  }
#endif
}
static void unlock() { sem_post(&semaphore); }
#elif defined(STD_SEMAPHORE)
static std::binary_semaphore semaphore(1);
static void lock() { semaphore.acquire(); }
static void unlock() { semaphore.release(); }
#elif defined(FUTEX_LOCK)
static std::atomic<int> word;
static void lock() {
  while (word.exchange(1)) syscall(SYS_futex, &word, FUTEX_WAIT, 1, nullptr);
}
static void unlock() { word.store(0), syscall(SYS_futex, &word, FUTEX_WAKE, 1); }
#elif defined(ONCE)
static std::once_flag once;
static int first;
static void lock() {
  std::call_once(once, [] { first = 1; });
  pthread_mutex_lock(&mutex);
}
static void unlock() { pthread_mutex_unlock(&mutex); }
#else
#define TOO_EARLY
#endif

#ifndef TOO_EARLY
static int counter;
static void* add(void*) {
  lock();
  const int before = counter;
  unlock();
  pause_for_a_while();
  lock();
  counter = before + 1;
  unlock();
  return nullptr;
}
int main() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, add, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  assert(counter == 2);
}
#else
#if defined(CONDITION) || defined(TIMED_CONDITION)
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool ready;
static void wait() {
  pthread_mutex_lock(&mutex);
#ifdef CONDITION
  while (!ready) pthread_cond_wait(&condition, &mutex);
#else
  const timespec end = in_an_hour();
  while (!ready) pthread_cond_timedwait(&condition, &mutex, &end);
#endif
  pthread_mutex_unlock(&mutex);
}
static void tell() {
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
}
#elif defined(FUTEX)
static std::atomic<int> ready;
static void wait() {
  while (!ready) syscall(SYS_futex, &ready, FUTEX_WAIT, 0, nullptr);
}
static void tell() { ready = 1, syscall(SYS_futex, &ready, FUTEX_WAKE, 1); }
#elif defined(ATOMIC_WAIT)
static std::atomic<int> ready;
static void wait() { ready.wait(0); }
static void tell() { ready = 1, ready.notify_one(); }
#elif defined(LATCH)
static std::latch ready(1);
static void wait() { ready.wait(); }
static void tell() { ready.count_down(); }
#elif defined(STD_BARRIER)
static std::barrier ready(2);
static void wait() { ready.arrive_and_wait(); }
static void tell() { (void)ready.arrive(); }
#elif defined(COUNTING_SEMAPHORE)
static std::counting_semaphore<8> ready(0);
static void wait() { ready.acquire(); }
static void tell() { ready.release(); }
#endif
static int data, seen;
static void* use(void*) {
  wait();
  seen = data;
  assert(seen);
  return nullptr;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, use, nullptr);
  pause_for_a_while();
  tell();
  pause_for_a_while();
  data = 1;
  pthread_join(thread, nullptr);
}
#endif
