/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers, semaphores, one-time initialisation and raw futex calls.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sequence.h"

static long barrier_init(const Arguments* a) {
  return pthread_barrier_init(&a->object->barrier, NULL, (unsigned)a->number);
}
static long barrier_destroy(const Arguments* a) { return pthread_barrier_destroy(&a->object->barrier); }
static long barrier_wait(const Arguments* a) { return pthread_barrier_wait(&a->object->barrier); }

const Call kBarrierCalls[] = {
    {"barrier_init", barrier_init}, {"barrier_destroy", barrier_destroy}, {"barrier_wait", barrier_wait}, {NULL, NULL}};

static long sem_init_value(const Arguments* a) { return sem_init(&a->object->semaphore, 0, (unsigned)a->number); }
static long sem_init_shared(const Arguments* a) { return sem_init(&a->object->semaphore, 1, (unsigned)a->number); }
static long destroy(const Arguments* a) { return sem_destroy(&a->object->semaphore); }
static long wait(const Arguments* a) { return sem_wait(&a->object->semaphore); }
static long try(const Arguments* a) { return sem_trywait(&a->object->semaphore); }
static long timed(const Arguments* a) { return sem_timedwait(&a->object->semaphore, a->deadline); }
static long clocked(const Arguments* a) { return sem_clockwait(&a->object->semaphore, a->clock, a->deadline); }
static long post(const Arguments* a) { return sem_post(&a->object->semaphore); }
static long get(const Arguments* a) {
  int value = -7;
  const int result = sem_getvalue(&a->object->semaphore, &value);
  return result ? result : value;
}

const Call kSemaphoreCalls[] = {
    {"sem_init", sem_init_value}, {"sem_init_shared", sem_init_shared},
    {"sem_destroy", destroy},     {"sem_wait", wait},
    {"sem_trywait", try},         {"sem_timedwait", timed},
    {"sem_clockwait", clocked},   {"sem_post", post},
    {"sem_getvalue", get},        {NULL, NULL},
};

/* The routines of pthread_once get no argument. */
static _Thread_local const Arguments* of_routine;
static _Thread_local long times_run;

static void count(void) { ++times_run; }
static void count_and_wait(void) {
  ++times_run;
  sem_wait(&of_routine->second->semaphore);
}
static void count_and_enter_again(void) {
  ++times_run;
  pthread_once(&of_routine->object->once, count);
}
static long once_with(const Arguments* a, void (*routine)(void)) {
  of_routine = a;
  times_run = 0;
  const int result = pthread_once(&a->object->once, routine);
  return 100 * result + times_run;
}
static long once(const Arguments* a) { return once_with(a, count); }
static long once_waiting(const Arguments* a) { return once_with(a, count_and_wait); }
static long once_again(const Arguments* a) { return once_with(a, count_and_enter_again); }

const Call kOnceCalls[] = {{"once", once}, {"once_waiting", once_waiting}, {"once_again", once_again}, {NULL, NULL}};

static long futex(const Arguments* a, int operation, uint32_t value, uint32_t mask) {
  return syscall(SYS_futex, &a->object->word, operation, value, a->deadline, NULL, mask);
}
static long futex_wait(const Arguments* a) { return futex(a, FUTEX_WAIT, (uint32_t)a->number, 0); }
static long futex_wait_private(const Arguments* a) { return futex(a, FUTEX_WAIT_PRIVATE, (uint32_t)a->number, 0); }
static long futex_wait_until(const Arguments* a) {
  const int clock = a->clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0;
  return futex(a, FUTEX_WAIT_BITSET_PRIVATE | clock, (uint32_t)a->number, FUTEX_BITSET_MATCH_ANY);
}
static long futex_wake(const Arguments* a) { return futex(a, FUTEX_WAKE, (uint32_t)a->number, 0); }
static long futex_wake_private(const Arguments* a) { return futex(a, FUTEX_WAKE_PRIVATE, (uint32_t)a->number, 0); }
static long store(const Arguments* a) {
  __atomic_store_n(&a->object->word, (uint32_t)a->number, __ATOMIC_SEQ_CST);
  return 0;
}

const Call kFutexCalls[] = {
    {"futex_wait", futex_wait},
    {"futex_wait_private", futex_wait_private},
    {"futex_wait_until", futex_wait_until},
    {"futex_wake", futex_wake},
    {"futex_wake_private", futex_wake_private},
    {"store", store},
    {NULL, NULL},
};
