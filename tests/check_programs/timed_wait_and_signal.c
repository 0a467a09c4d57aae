// SPDX-License-Identifier: Apache-2.0
//
// A signal and two who wait, one of them with a time limit: he may be woken, give
// up before the signal, give up although it was sent (then the other one was
// woken), or come too late. Numbers of classes by enumerating all interleavings.
//
// heddle-check: all=violated finding=deadlock classes=7
// heddle-check: cflags='-DBOTH' all=holds classes=15
// heddle-check: cflags='-DBROADCAST' all=holds classes=8
// heddle-check: cflags='-DTWICE' all=holds classes=10
// heddle-check: cflags='-DBOTH -DTWICE' all=holds classes=24
#include <heddle.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int sent;
static void *timed(void *name) {
  struct timespec when = {5, 0};
  pthread_mutex_lock(&m);
  int seen = sent;
  int result = pthread_cond_timedwait(&c, &m, &when);
  heddle_observe(name, 10 * seen + (result != 0) * 2 + sent);
  pthread_mutex_unlock(&m);
  return 0;
}
#ifdef BOTH
#define second timed
#else
static void *second(void *name) {
  pthread_mutex_lock(&m);
  int seen = sent;
  if (!sent) pthread_cond_wait(&c, &m);
  heddle_observe(name, 10*seen + sent);
  pthread_mutex_unlock(&m);
  return 0;
}
#endif
static void *sender(void *unused) {
  pthread_mutex_lock(&m);
  sent = 1;
#ifdef BROADCAST
  pthread_cond_broadcast(&c);
#else
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
#ifdef TWICE
  pthread_cond_signal(&c);
#endif
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, timed, "a");
  pthread_create(&t[1], 0, second, "b");
  pthread_create(&t[2], 0, sender, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
