/* SPDX-License-Identifier: Apache-2.0
 *
 * Reader-writer locks of every kind.
 */
#define _GNU_SOURCE
#include "sequence.h"

static long init(const Arguments* a) { return pthread_rwlock_init(&a->object->rwlock, NULL); }
static long init_kind(const Arguments* a) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, (int)a->number);
  const int result = pthread_rwlock_init(&a->object->rwlock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
  return result;
}
static long destroy(const Arguments* a) { return pthread_rwlock_destroy(&a->object->rwlock); }
static long read_lock(const Arguments* a) { return pthread_rwlock_rdlock(&a->object->rwlock); }
static long try_read(const Arguments* a) { return pthread_rwlock_tryrdlock(&a->object->rwlock); }
static long timed_read(const Arguments* a) { return pthread_rwlock_timedrdlock(&a->object->rwlock, a->deadline); }
static long clock_read(const Arguments* a) {
  return pthread_rwlock_clockrdlock(&a->object->rwlock, a->clock, a->deadline);
}
static long write_lock(const Arguments* a) { return pthread_rwlock_wrlock(&a->object->rwlock); }
static long try_write(const Arguments* a) { return pthread_rwlock_trywrlock(&a->object->rwlock); }
static long timed_write(const Arguments* a) { return pthread_rwlock_timedwrlock(&a->object->rwlock, a->deadline); }
static long clock_write(const Arguments* a) {
  return pthread_rwlock_clockwrlock(&a->object->rwlock, a->clock, a->deadline);
}
static long unlock(const Arguments* a) { return pthread_rwlock_unlock(&a->object->rwlock); }

const Call kRwlockCalls[] = {
    {"rwlock_init", init},
    {"rwlock_init_kind", init_kind},
    {"rwlock_destroy", destroy},
    {"rwlock_rdlock", read_lock},
    {"rwlock_tryrdlock", try_read},
    {"rwlock_timedrdlock", timed_read},
    {"rwlock_clockrdlock", clock_read},
    {"rwlock_wrlock", write_lock},
    {"rwlock_trywrlock", try_write},
    {"rwlock_timedwrlock", timed_write},
    {"rwlock_clockwrlock", clock_write},
    {"rwlock_unlock", unlock},
    {NULL, NULL},
};
