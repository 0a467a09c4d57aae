/* SPDX-License-Identifier: Apache-2.0
 *
 * The mutexes, condition variables and call_once of C11.
 */
#include "sequence.h"

static long init(const Arguments* a) { return mtx_init(&a->object->mtx, (int)a->number); }
static long destroy(const Arguments* a) {
  mtx_destroy(&a->object->mtx);
  return 0;
}
static long lock(const Arguments* a) { return mtx_lock(&a->object->mtx); }
static long try(const Arguments* a) { return mtx_trylock(&a->object->mtx); }
static long timed(const Arguments* a) { return mtx_timedlock(&a->object->mtx, a->deadline); }
static long unlock(const Arguments* a) { return mtx_unlock(&a->object->mtx); }

static long cnd_begin(const Arguments* a) { return cnd_init(&a->object->cnd); }
static long cnd_end(const Arguments* a) {
  cnd_destroy(&a->object->cnd);
  return 0;
}
static long wait(const Arguments* a) { return cnd_wait(&a->object->cnd, &a->second->mtx); }
static long timed_wait(const Arguments* a) { return cnd_timedwait(&a->object->cnd, &a->second->mtx, a->deadline); }
static long wake_one(const Arguments* a) { return cnd_signal(&a->object->cnd); }
static long wake_all(const Arguments* a) { return cnd_broadcast(&a->object->cnd); }

static _Thread_local long times_run;
static void count(void) { ++times_run; }
static long once(const Arguments* a) {
  times_run = 0;
  call_once(&a->object->flag, count);
  return times_run;
}

const Call kC11Calls[] = {
    {"mtx_init", init},       {"mtx_destroy", destroy},
    {"mtx_lock", lock},       {"mtx_trylock", try},
    {"mtx_timedlock", timed}, {"mtx_unlock", unlock},
    {"cnd_init", cnd_begin},  {"cnd_destroy", cnd_end},
    {"cnd_wait", wait},       {"cnd_timedwait", timed_wait},
    {"cnd_signal", wake_one}, {"cnd_broadcast", wake_all},
    {"call_once", once},      {NULL, NULL},
};
