/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that performs one sequence of synchronisation calls, in an order that
 * is forced: the same source runs natively, on the C library, and under Heddle.
 *
 *   0=heap:zero 1:pthread_mutex_lock:0 2:pthread_mutex_trylock:0 1:pthread_mutex_unlock:0
 *
 * The first word says where object 0 lies and what its memory holds at first; the
 * others are steps: thread 1 locks it as a mutex, thread 2 tries to, and so on. After each
 * step the program reports which threads have returned, with what result, and which
 * are blocked in their calls. Threads that are blocked stay so at the end.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

enum { kMostThreads = 3, kMostObjects = 4, kMostSteps = 64 };

typedef union Object {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_cond_t condition;
  pthread_barrier_t barrier;
  pthread_spinlock_t spin;
  pthread_once_t once;
  sem_t semaphore;
  mtx_t mtx;
  cnd_t cnd;
  once_flag flag;
  uint32_t word;
  char bytes[64];
} Object;

typedef struct Arguments {
  Object* object;
  Object* second; /* the mutex of a condition variable */
  long number;
  clockid_t clock;
  const struct timespec* deadline; /* may be NULL */
} Arguments;

/* A call returns what the function returned; errno is taken afterwards. */
typedef struct Call {
  const char* name;
  long (*perform)(const Arguments* arguments);
} Call;

/* Tables of calls, one a family; each ends with a name that is NULL. */
extern const Call kMutexCalls[], kRwlockCalls[], kConditionCalls[], kBarrierCalls[], kSemaphoreCalls[], kOnceCalls[],
    kFutexCalls[], kC11Calls[], kMemoryCalls[];

typedef struct Step {
  int thread;
  const Call* call;
  Arguments arguments;
  int deadline; /* which one; -1: none */
} Step;

/* places.c: the memory called `name` of object `number`, holding `content`. May be NULL. */
void use_stack(Object* objects); /* memory for objects of the place "stack" */
Object* object_at(const char* name, int number, const char* content);

/* arguments.c: a step as text. Ends the program if it is none. */
Step read_step(const char* text, Object* const* objects);
int ends_by_itself(const Step* step); /* its deadline is near or past */
const struct timespec* deadline_of(const Step* step, struct timespec* time);

/* threads.c: runs the steps. */
void run_steps(const Step* steps, int count, const char* order);

/* report.c: what is seen of a sequence, as numbers; see report.c. */
enum { kStepBegins = 1, kReturned, kBlocked, kSkipped };
void report(int what, int thread, long value, int error);
_Noreturn void refuse(const char* why, const char* text);

#endif
