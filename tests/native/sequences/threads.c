/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a sequence, the order that is forced on them, and what is seen of them.
 *
 * A thread waits for its next step at a semaphore; main gives it one and then waits until
 * every thread has returned from its call or is blocked in it. Blocked means
 *
 *   natively      it sleeps in the futex system call, says the kernel (/proc/self/task/TID/{syscall,stat}),
 *                 several times in a row while no other thread of the sequence runs; or it
 *                 waits in a loop, and the thread has used the processor for a while
 *   under Heddle  main, which only yields, is the only thread that can go on
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sequence.h"

typedef struct Worker {
  sem_t may_go;
  const Step* step;    /* the one it performs, or performed last */
  atomic_int started;  /* how many steps it began */
  atomic_int finished; /* how many it has ended */
  long result;
  int error;
  int seen;        /* how many ends were reported */
  int given;       /* how many steps it was given */
  int blocked;     /* was reported */
  int id;          /* of the operating system */
  long run_before; /* nanoseconds on a processor, when the step was given */
} Worker;

static Worker workers[kMostThreads];

static void* work(void* argument) {
  Worker* worker = argument;
  worker->id = (int)syscall(SYS_gettid);
  for (;;) {
    sem_wait(&worker->may_go);
    const Step* step = worker->step;
    struct timespec time;
    Arguments arguments = step->arguments;
    arguments.deadline = deadline_of(step, &time);
    atomic_fetch_add(&worker->started, 1);
    errno = 0;
    worker->result = step->call->perform(&arguments);
    worker->error = errno;
    atomic_fetch_add(&worker->finished, 1);
  }
  return NULL;
}

static int is_busy(const Worker* worker) { return atomic_load(&worker->finished) != worker->given; }

#ifdef __HEDDLE__

static long run_so_far(const Worker* worker) { return worker->run_before; }

static int anybody_is_busy(void) {
  for (int i = 0; i < kMostThreads; ++i)
    if (is_busy(&workers[i])) return 1;
  return 0;
}

/* The C++ library yields a few times before it waits. But after a hundred operations that changed nothing, a timed
 * wait runs out, and reads count too. */
static void wait_for_quiet(const Step* step) {
  enum { kRounds = 4, kYields = 8, kYieldsUntilTimeIsUp = 2000 };
  const Worker* worker = &workers[step->thread];
  if (ends_by_itself(step))
    for (int i = 0; i < kYieldsUntilTimeIsUp && is_busy(worker); ++i) sched_yield();
  for (int round = 0; round < kRounds && anybody_is_busy(); ++round)
    for (int i = 0; i < kYields; ++i) sched_yield();
}

#else

/* The beginning of a file of /proc about a thread. */
static void read_about(int id, const char* what, char* text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", id, what);
  const int file = open(path, O_RDONLY);
  const ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
  close(file);
  text[length < 0 ? 0 : length] = '\0';
}

static int sleeps(int id) {
  char text[256];
  read_about(id, "stat", text, sizeof text);
  const char* after_name = strrchr(text, ')');
  return after_name && after_name[2] == 'S';
}

static long run_so_far(const Worker* worker) {
  char text[64];
  read_about(worker->id, "schedstat", text, sizeof text);
  return strtol(text, NULL, 10);
}

/* How often it was given a core. */
static long turns_so_far(const Worker* worker) {
  char text[64];
  long run, waited, turns;
  read_about(worker->id, "schedstat", text, sizeof text);
  return sscanf(text, "%ld %ld %ld", &run, &waited, &turns) == 3 ? turns : 0;
}

/* In a futex system call that only another thread can end; or asleep between two looks, as libstdc++ waits with a far
 * deadline once it was woken for nothing: then it has looked since it had `turns`, and found nothing. */
static int is_blocked(const Worker* worker, long turns) {
  if (atomic_load(&worker->started) != worker->given) return 0;
  char text[256];
  read_about(worker->id, "syscall", text, sizeof text);
  long number, operation, value;
  unsigned long word, timeout;
  if (sscanf(text, "%ld %lx %lx %lx %lx", &number, &word, &operation, &value, &timeout) != 5) return 0;
  if (!sleeps(worker->id)) return 0;
  if (number == SYS_clock_nanosleep) return !ends_by_itself(worker->step) && turns_so_far(worker) >= turns + 2;
  return number == SYS_futex && (!timeout || !ends_by_itself(worker->step));
}

/* In a loop of the C or C++ library that only another thread can end: spin locks wait so, std::shared_mutex when the
 * number of readers is exhausted, and reader-writer locks with a clock that a futex does not know, but no deadline. */
static int spins(const Worker* worker) {
  enum { kMostForACall = 3000000 };
  const char* name = worker->step->call->name;
  return (strstr(name, "spin_lock") || strstr(name, "lock_shared") || strstr(name, "rwlock_clock")) &&
         atomic_load(&worker->started) == worker->given && run_so_far(worker) - worker->run_before > kMostForACall;
}

static void wait_for_quiet(const Step* step) {
  (void)step;
  enum { kSamples = 3 };
  long turns[kMostThreads];
  for (int i = 0; i < kMostThreads; ++i) turns[i] = is_busy(&workers[i]) ? turns_so_far(&workers[i]) : 0;
  for (int quiet = 0; quiet < kSamples;) {
    int blocked = 0;
    int all = 1;
    for (int i = 0; i < kMostThreads; ++i) {
      if (!is_busy(&workers[i])) continue;
      if (is_blocked(&workers[i], turns[i]) || spins(&workers[i])) {
        ++blocked;
      } else {
        all = 0;
      }
    }
    if (all && !blocked) return;
    quiet = all ? quiet + 1 : 0;
    usleep(20);
  }
}

#endif

static void begin(const char* order) {
  for (; *order; ++order) {
    Worker* worker = &workers[*order - '1'];
    pthread_t thread;
    sem_init(&worker->may_go, 0, 0);
    if (pthread_create(&thread, NULL, work, worker)) refuse("no thread", order);
  }
}

/* A wait that ends by itself comes to one end only
 * - if no other thread waits for a far time: under Heddle that one might time out instead
 * - if, at a condition variable, no other thread can take the mutex meanwhile. */
static int is_determined(const Step* step) {
  if (!ends_by_itself(step)) return 1;
  for (int i = 0; i < kMostThreads; ++i)
    if (is_busy(&workers[i]) && (workers[i].step->deadline >= 0 || step->arguments.second)) return 0;
  return 1;
}

static void report_changes(void) {
  for (int i = 0; i < kMostThreads; ++i) {
    Worker* worker = &workers[i];
    if (worker->seen == worker->given) continue;
    if (is_busy(worker)) {
      if (!worker->blocked) report(kBlocked, i, 0, 0);
      worker->blocked = 1;
    } else {
      report(kReturned, i, worker->result, worker->error);
      worker->seen = worker->given;
      worker->blocked = 0;
    }
  }
}

void run_steps(const Step* steps, int count, const char* order) {
  begin(order);
  for (int i = 0; i < count; ++i) {
    Worker* worker = &workers[steps[i].thread];
    if (is_busy(worker) || !is_determined(&steps[i])) {
      report(kSkipped, steps[i].thread, i, 0);
      continue;
    }
    report(kStepBegins, steps[i].thread, i, 0);
    worker->step = &steps[i];
    ++worker->given;
    for (int k = 0; k < kMostThreads; ++k) workers[k].run_before = run_so_far(&workers[k]);
    sem_post(&worker->may_go);
    wait_for_quiet(&steps[i]);
    report_changes();
  }
}
