/* SPDX-License-Identifier: Apache-2.0
 *
 * What each operation means, as one table for the runtime, which performs
 * operations, and the host, which reasons about them.
 *
 * A row says
 *   family   which objects the operation works on
 *   effect   what it does to the object
 *   form     whether it can always happen, waits, tries or waits with a deadline
 *   learns   what its thread gets to know, and so may act upon
 *
 *     pthread_mutex_trylock   MUTEX_TRYLOCK: MUTEX, ACQUIRE, ATTEMPT, OUTCOME
 *
 * Code switches over effects, of which there are few, not over kinds. What an
 * effect does to an object of its family, step by step, is src/semantics on the
 * host and sync_*.cpp in the runtime; tests/native holds both against the C
 * library.
 *
 * Every visible kind of event.h has a row: heddle_meaning() does not compile
 * without.
 */
#ifndef HEDDLE_ABI_SEMANTICS_H
#define HEDDLE_ABI_SEMANTICS_H

#include "abi/event.h"

typedef enum HeddleFamily {
  HEDDLE_FAMILY_NONE = 0,
  HEDDLE_FAMILY_MEMORY,
  HEDDLE_FAMILY_HEAP,
  HEDDLE_FAMILY_THREAD,
  HEDDLE_FAMILY_MUTEX, /* spin locks too */
  HEDDLE_FAMILY_RWLOCK,
  HEDDLE_FAMILY_CONDITION,
  HEDDLE_FAMILY_BARRIER,
  HEDDLE_FAMILY_SEMAPHORE,
  HEDDLE_FAMILY_ONCE,
  HEDDLE_FAMILY_WORD, /* futex words */
  HEDDLE_FAMILY_TIME,
  HEDDLE_FAMILY_SIGNAL,
  HEDDLE_FAMILY_PROGRAM, /* what the program says to Heddle */
  HEDDLE_FAMILY_EXTERN,  /* code without bitcode */
  HEDDLE_FAMILY_END,
  HEDDLE_FAMILY_DESCRIPTOR,
} HeddleFamily;

typedef enum HeddleEffect {
  HEDDLE_EFFECT_NONE = 0, /* on objects of synchronisation */
  /* The life of an object. */
  HEDDLE_EFFECT_INIT,
  HEDDLE_EFFECT_DESTROY,
  /* Locks. */
  HEDDLE_EFFECT_ACQUIRE, /* becomes the owner */
  HEDDLE_EFFECT_SHARE,   /* becomes one of the readers */
  HEDDLE_EFFECT_RELEASE, /* owner or reader no longer */
  HEDDLE_EFFECT_LINE_UP, /* a writer begins to wait; readers no longer overtake it */
  /* Queues: conditions and futex words. Of a condition, WAIT also releases the mutex and RESUME takes it back. */
  HEDDLE_EFFECT_WAIT,   /* enters the queue */
  HEDDLE_EFFECT_RESUME, /* goes on, after it was woken */
  HEDDLE_EFFECT_LEAVE,  /* leaves the queue without having been woken */
  HEDDLE_EFFECT_WAKE,   /* takes one or more threads out of the queue */
  /* Semaphores. */
  HEDDLE_EFFECT_POST,
  HEDDLE_EFFECT_TAKE,
  HEDDLE_EFFECT_INSPECT, /* reads how many tokens there are */
  /* Barriers. */
  HEDDLE_EFFECT_ARRIVE,
  HEDDLE_EFFECT_DEPART,
  /* One-time initialisation. */
  HEDDLE_EFFECT_ENTER,
  HEDDLE_EFFECT_FINISH,
  /* Threads. */
  HEDDLE_EFFECT_CREATE,
  HEDDLE_EFFECT_START,
  HEDDLE_EFFECT_END,
  HEDDLE_EFFECT_JOIN,
  HEDDLE_EFFECT_DETACH,
  HEDDLE_EFFECT_CANCEL,
} HeddleEffect;

typedef enum HeddleForm {
  HEDDLE_FORM_PROMPT = 0, /* can happen at any time */
  HEDDLE_FORM_BLOCKING,   /* waits until it can happen */
  HEDDLE_FORM_ATTEMPT,    /* never waits; FLAG_FAILED if it could not happen */
  HEDDLE_FORM_TIMED,      /* waits until it can happen or time is up: FLAG_TIMEOUT */
} HeddleForm;

typedef enum HeddleLearns {
  HEDDLE_LEARNS_NOTHING = 0,
  HEDDLE_LEARNS_VALUE,     /* `value` */
  HEDDLE_LEARNS_OUTCOME,   /* which of the flags HEDDLE_OUTCOME_FLAGS are set */
  HEDDLE_LEARNS_EXCEPTION, /* the same, but without any of these flags it learns nothing */
} HeddleLearns;

/* clang-format off */
#define HEDDLE_MEANINGS(ROW) \
  /*  kind               family       effect    form       learns */ \
  ROW(LOAD,               MEMORY,      NONE,     PROMPT,    VALUE) \
  ROW(STORE,              MEMORY,      NONE,     PROMPT,    NOTHING) \
  ROW(RMW,                MEMORY,      NONE,     PROMPT,    VALUE) \
  ROW(CAS,                MEMORY,      NONE,     PROMPT,    VALUE) \
  ROW(FENCE,              MEMORY,      NONE,     PROMPT,    NOTHING) \
  ROW(ALLOC,              HEAP,        NONE,     PROMPT,    NOTHING) \
  ROW(FREE,               HEAP,        NONE,     PROMPT,    NOTHING) \
  ROW(THREAD_CREATE,      THREAD,      CREATE,   PROMPT,    NOTHING) \
  ROW(THREAD_START,       THREAD,      START,    BLOCKING,  NOTHING) \
  ROW(THREAD_END,         THREAD,      END,      PROMPT,    NOTHING) \
  ROW(THREAD_JOIN,        THREAD,      JOIN,     BLOCKING,  OUTCOME) \
  ROW(THREAD_DETACH,      THREAD,      DETACH,   PROMPT,    EXCEPTION) \
  ROW(THREAD_CANCEL,      THREAD,      CANCEL,   PROMPT,    NOTHING) \
  ROW(MUTEX_INIT,         MUTEX,       INIT,     PROMPT,    EXCEPTION) \
  ROW(MUTEX_DESTROY,      MUTEX,       DESTROY,  PROMPT,    EXCEPTION) \
  ROW(MUTEX_LOCK,         MUTEX,       ACQUIRE,  BLOCKING,  EXCEPTION) \
  ROW(MUTEX_TRYLOCK,      MUTEX,       ACQUIRE,  ATTEMPT,   OUTCOME) \
  ROW(MUTEX_TIMEDLOCK,    MUTEX,       ACQUIRE,  TIMED,     OUTCOME) \
  ROW(MUTEX_UNLOCK,       MUTEX,       RELEASE,  PROMPT,    EXCEPTION) \
  ROW(RWLOCK_INIT,        RWLOCK,      INIT,     PROMPT,    EXCEPTION) \
  ROW(RWLOCK_DESTROY,     RWLOCK,      DESTROY,  PROMPT,    EXCEPTION) \
  ROW(RWLOCK_READ,        RWLOCK,      SHARE,    BLOCKING,  EXCEPTION) \
  ROW(RWLOCK_TRYREAD,     RWLOCK,      SHARE,    ATTEMPT,   OUTCOME) \
  ROW(RWLOCK_TIMEDREAD,   RWLOCK,      SHARE,    TIMED,     OUTCOME) \
  ROW(RWLOCK_WRITE,       RWLOCK,      ACQUIRE,  BLOCKING,  EXCEPTION) \
  ROW(RWLOCK_TRYWRITE,    RWLOCK,      ACQUIRE,  ATTEMPT,   OUTCOME) \
  ROW(RWLOCK_TIMEDWRITE,  RWLOCK,      ACQUIRE,  TIMED,     OUTCOME) \
  ROW(RWLOCK_UNLOCK,      RWLOCK,      RELEASE,  PROMPT,    EXCEPTION) \
  ROW(RWLOCK_LINE_UP,     RWLOCK,      LINE_UP,  PROMPT,    NOTHING) \
  ROW(COND_INIT,          CONDITION,   INIT,     PROMPT,    EXCEPTION) \
  ROW(COND_DESTROY,       CONDITION,   DESTROY,  BLOCKING,  EXCEPTION) \
  ROW(COND_WAIT,          CONDITION,   WAIT,     PROMPT,    EXCEPTION) \
  ROW(COND_RESUME,        CONDITION,   RESUME,   BLOCKING,  EXCEPTION) \
  ROW(COND_LEAVE,         CONDITION,   LEAVE,    PROMPT,    OUTCOME) \
  ROW(COND_SIGNAL,        CONDITION,   WAKE,     PROMPT,    EXCEPTION) \
  ROW(COND_BROADCAST,     CONDITION,   WAKE,     PROMPT,    EXCEPTION) \
  ROW(BARRIER_INIT,       BARRIER,     INIT,     PROMPT,    EXCEPTION) \
  ROW(BARRIER_DESTROY,    BARRIER,     DESTROY,  BLOCKING,  EXCEPTION) \
  ROW(BARRIER_ARRIVE,     BARRIER,     ARRIVE,   PROMPT,    EXCEPTION) \
  ROW(BARRIER_LEAVE,      BARRIER,     DEPART,   BLOCKING,  OUTCOME) \
  ROW(SEM_INIT,           SEMAPHORE,   INIT,     PROMPT,    EXCEPTION) \
  ROW(SEM_DESTROY,        SEMAPHORE,   DESTROY,  PROMPT,    EXCEPTION) \
  ROW(SEM_WAIT,           SEMAPHORE,   TAKE,     BLOCKING,  EXCEPTION) \
  ROW(SEM_TRYWAIT,        SEMAPHORE,   TAKE,     ATTEMPT,   OUTCOME) \
  ROW(SEM_TIMEDWAIT,      SEMAPHORE,   TAKE,     TIMED,     OUTCOME) \
  ROW(SEM_POST,           SEMAPHORE,   POST,     PROMPT,    EXCEPTION) \
  ROW(SEM_GETVALUE,       SEMAPHORE,   INSPECT,  PROMPT,    VALUE) \
  ROW(ONCE_INIT,          ONCE,        INIT,     PROMPT,    NOTHING) \
  ROW(ONCE_ENTER,         ONCE,        ENTER,    BLOCKING,  VALUE) \
  ROW(ONCE_DONE,          ONCE,        FINISH,   PROMPT,    NOTHING) \
  ROW(AWAIT,              WORD,        WAIT,     ATTEMPT,   OUTCOME) \
  ROW(AWAIT_RESUME,       WORD,        RESUME,   BLOCKING,  EXCEPTION) \
  ROW(NOTIFY,             WORD,        WAKE,     PROMPT,    NOTHING) \
  ROW(YIELD,              TIME,        NONE,     PROMPT,    NOTHING) \
  ROW(SLEEP,              TIME,        NONE,     PROMPT,    NOTHING) \
  ROW(CLOCK,              TIME,        NONE,     PROMPT,    NOTHING) \
  ROW(SIGNAL_SEND,        SIGNAL,      NONE,     PROMPT,    NOTHING) \
  ROW(SIGNAL_WAIT,        SIGNAL,      NONE,     BLOCKING,  VALUE) \
  ROW(NONDET,             PROGRAM,     NONE,     PROMPT,    VALUE) \
  ROW(OBSERVE,            PROGRAM,     NONE,     PROMPT,    NOTHING) \
  ROW(ASSUME,             PROGRAM,     NONE,     PROMPT,    NOTHING) \
  ROW(ATOMIC_BEGIN,       PROGRAM,     NONE,     PROMPT,    NOTHING) \
  ROW(ATOMIC_END,         PROGRAM,     NONE,     PROMPT,    NOTHING) \
  ROW(EXTERN_CALL,        EXTERN,      NONE,     PROMPT,    NOTHING) \
  ROW(EXTERN_WRITE,       EXTERN,      NONE,     PROMPT,    NOTHING) \
  ROW(EXIT,               END,         NONE,     BLOCKING,  NOTHING) \
  ROW(FAIL,               END,         NONE,     PROMPT,    NOTHING) \
  ROW(DESCRIPTOR_READ,    DESCRIPTOR,  NONE,     PROMPT,    NOTHING) \
  ROW(DESCRIPTOR_WRITE,   DESCRIPTOR,  NONE,     PROMPT,    NOTHING) \
  ROW(DESCRIPTOR_POLL,    DESCRIPTOR,  NONE,     PROMPT,    NOTHING) \
  ROW(DESCRIPTOR_ACCEPT,  DESCRIPTOR,  NONE,     PROMPT,    NOTHING) \
  ROW(DESCRIPTOR_CONNECT, DESCRIPTOR,  NONE,     PROMPT,    NOTHING)
/* clang-format on */

typedef struct HeddleMeaning {
  uint8_t family; /* HeddleFamily */
  uint8_t effect; /* HeddleEffect */
  uint8_t form;   /* HeddleForm */
  uint8_t learns; /* HeddleLearns */
} HeddleMeaning;

/* What can come of an operation, beside its value. */
#define HEDDLE_OUTCOME_FLAGS \
  (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS | HEDDLE_FLAG_SERIAL | HEDDLE_FLAG_MISUSE)

/* The operation did not do what its effect says. (A condition's RESUME takes the mutex all the same.) */
#define HEDDLE_GAVE_UP_FLAGS (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED)

#define HEDDLE_MEANING_CASE(KIND, FAMILY, EFFECT, FORM, LEARNS)                                        \
  case HEDDLE_##KIND: {                                                                                \
    const HeddleMeaning meaning = {HEDDLE_FAMILY_##FAMILY, HEDDLE_EFFECT_##EFFECT, HEDDLE_FORM_##FORM, \
                                   HEDDLE_LEARNS_##LEARNS};                                            \
    return meaning;                                                                                    \
  }

/* The row of the table for a kind of operation. A kind without one does not compile (-Wswitch); records that are
 * no operations mean nothing here. */
static inline HeddleMeaning heddle_meaning(HeddleKind kind) {
  const HeddleMeaning nothing = {0, 0, 0, 0};
  switch (kind) {
    HEDDLE_MEANINGS(HEDDLE_MEANING_CASE)
    case HEDDLE_EVENT_NONE:
    case HEDDLE_LAST_VISIBLE:
    case HEDDLE_STACK_OBJECT:
    case HEDDLE_FUNCTION_ENTER:
    case HEDDLE_FUNCTION_EXIT:
    case HEDDLE_BRANCH:
    case HEDDLE_LOCAL_VALUE:
    case HEDDLE_WIDE:
    case HEDDLE_TEXT:
    case HEDDLE_UNTRACKED:
    case HEDDLE_STACK_OBJECT_END:
    case HEDDLE_WAITING:
    case HEDDLE_FLUSH:
    case HEDDLE_REPEATS:
    case HEDDLE_STATE:
    case HEDDLE_GAP_SEEN:
    case HEDDLE_FRAME_RUN_BEGIN:
    case HEDDLE_FRAME_THREAD:
    case HEDDLE_FRAME_RUN_END:
    case HEDDLE_FRAME_OPTION: return nothing;
  }
  return nothing;
}

#endif
