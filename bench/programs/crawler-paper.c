// SPDX-License-Identifier: Apache-2.0
//
// The core of a web crawler (Weblech): workers take addresses from a queue and put
// new ones in. That the queue is not empty is asked in one critical section, the
// address is taken in another; in between another worker may take the last one,
// and the address is null (every memory model). Such a worker ends; with -DCRASH
// it uses the null pointer. The number of running workers is changed without a
// lock.
//
// -DWORKERS=..., -DPAGES=...: page i leads to page i+1 until PAGES pages are known.
//
// heddle-check: all=violated finding=assertion classes=334
// heddle-check: cflags='-DCRASH' all=violated finding=null-dereference
// heddle-check: cflags='-DPAGES=2' all=violated finding=assertion classes=6288 test=no
#include "paper.h"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef PAGES
#define PAGES 1
#endif

static shared_int queue[PAGES + 1], size, in_progress, quit, running;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int queue_size(void) {
  LOCK(mutex);
  const int now = READ(size);
  UNLOCK(mutex);
  return now;
}

// The page taken, or -1.
static int take(void) {
  int page = -1;
  LOCK(mutex);
  const int now = READ(size);
  if (now > 0) {
    page = READ(queue[now - 1]);
    WRITE(size, now - 1);
  }
  WRITE(in_progress, READ(in_progress) + 1);
  UNLOCK(mutex);
  return page;
}

static void finish(int page) {
  LOCK(mutex);
  if (page + 1 < PAGES) {
    const int now = READ(size);
    WRITE(queue[now], page + 1);
    WRITE(size, now + 1);
  }
  WRITE(in_progress, READ(in_progress) - 1);
  UNLOCK(mutex);
}

static void *work(void *unused) {
  int retries = 0;
  while ((queue_size() > 0 || READ(in_progress) > 0) && !READ(quit)) {
    if (queue_size() == 0 && READ(in_progress) > 0) {
      if (retries++ == 2) break;
      continue;
    }
    if (queue_size() == 0) break;
    const int page = take();
    if (page < 0) {
      NULL_USED();
      return unused;
    }
    finish(page);
  }
  WRITE(running, READ(running) - 1);
  return unused;
}

int main(void) {
  pthread_t worker[WORKERS];
  WRITE(queue[0], 0);
  WRITE(size, 1);
  for (int i = 0; i < WORKERS; i++) {
    START(worker[i], work, 0);
    WRITE(running, READ(running) + 1);
  }
  for (int i = 0; i < WORKERS; i++) JOIN(worker[i]);
  ASSERT_NO_BUG();
  return 0;
}
