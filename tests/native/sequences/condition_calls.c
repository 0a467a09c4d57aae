/* SPDX-License-Identifier: Apache-2.0
 *
 * Condition variables.
 */
#define _GNU_SOURCE
#include "sequence.h"

static long init(const Arguments* a) { return pthread_cond_init(&a->object->condition, NULL); }
static long init_clock(const Arguments* a) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, a->clock);
  const int result = pthread_cond_init(&a->object->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return result;
}
static long destroy(const Arguments* a) { return pthread_cond_destroy(&a->object->condition); }
static long wait(const Arguments* a) { return pthread_cond_wait(&a->object->condition, &a->second->mutex); }
static long timed_wait(const Arguments* a) {
  return pthread_cond_timedwait(&a->object->condition, &a->second->mutex, a->deadline);
}
static long clock_wait(const Arguments* a) {
  return pthread_cond_clockwait(&a->object->condition, &a->second->mutex, a->clock, a->deadline);
}
static long signal(const Arguments* a) { return pthread_cond_signal(&a->object->condition); }
static long broadcast(const Arguments* a) { return pthread_cond_broadcast(&a->object->condition); }

const Call kConditionCalls[] = {
    {"cond_init", init},     {"cond_init_clock", init_clock}, {"cond_destroy", destroy},
    {"cond_wait", wait},     {"cond_timedwait", timed_wait},  {"cond_clockwait", clock_wait},
    {"cond_signal", signal}, {"cond_broadcast", broadcast},   {NULL, NULL},
};
