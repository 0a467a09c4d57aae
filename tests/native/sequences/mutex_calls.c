/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutexes of every type, and spin locks.
 */
#define _GNU_SOURCE
#include "sequence.h"

static long init(const Arguments* a) { return pthread_mutex_init(&a->object->mutex, NULL); }
static long init_with(const Arguments* a, int type, int robust, int protocol, int shared) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutexattr_setpshared(&attributes, shared);
  const int result = pthread_mutex_init(&a->object->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return result;
}
static long init_type(const Arguments* a) { return init_with(a, (int)a->number, 0, 0, 0); }
static long init_robust(const Arguments* a) { return init_with(a, (int)a->number, 1, 0, 0); }
static long init_inherit(const Arguments* a) { return init_with(a, (int)a->number, 0, PTHREAD_PRIO_INHERIT, 0); }
static long init_shared(const Arguments* a) { return init_with(a, (int)a->number, 0, 0, PTHREAD_PROCESS_SHARED); }
static long destroy(const Arguments* a) { return pthread_mutex_destroy(&a->object->mutex); }
static long lock(const Arguments* a) { return pthread_mutex_lock(&a->object->mutex); }
static long try(const Arguments* a) { return pthread_mutex_trylock(&a->object->mutex); }
static long timed(const Arguments* a) { return pthread_mutex_timedlock(&a->object->mutex, a->deadline); }
static long clocked(const Arguments* a) { return pthread_mutex_clocklock(&a->object->mutex, a->clock, a->deadline); }
static long unlock(const Arguments* a) { return pthread_mutex_unlock(&a->object->mutex); }
static long consistent(const Arguments* a) { return pthread_mutex_consistent(&a->object->mutex); }

static long spin_init(const Arguments* a) { return pthread_spin_init(&a->object->spin, (int)a->number); }
static long spin_destroy(const Arguments* a) { return pthread_spin_destroy(&a->object->spin); }
static long spin_lock(const Arguments* a) { return pthread_spin_lock(&a->object->spin); }
static long spin_try(const Arguments* a) { return pthread_spin_trylock(&a->object->spin); }
static long spin_unlock(const Arguments* a) { return pthread_spin_unlock(&a->object->spin); }

const Call kMutexCalls[] = {
    {"mutex_init", init},
    {"mutex_init_type", init_type},
    {"mutex_init_robust", init_robust},
    {"mutex_init_inherit", init_inherit},
    {"mutex_init_shared", init_shared},
    {"mutex_destroy", destroy},
    {"mutex_lock", lock},
    {"mutex_trylock", try},
    {"mutex_timedlock", timed},
    {"mutex_clocklock", clocked},
    {"mutex_unlock", unlock},
    {"mutex_consistent", consistent},
    {"spin_init", spin_init},
    {"spin_destroy", spin_destroy},
    {"spin_lock", spin_lock},
    {"spin_trylock", spin_try},
    {"spin_unlock", spin_unlock},
    {NULL, NULL},
};
