// SPDX-License-Identifier: Apache-2.0
//
// Functions that get a pthread_t work as in the C library.
//
// agree: holds
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void ask(void) {
  pthread_attr_t attributes;
  void* stack;
  size_t size;
  int local;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
  assert((char*)&local > (char*)stack && (char*)&local < (char*)stack + size);
  pthread_attr_destroy(&attributes);
}

static void* idle(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  struct sched_param parameters;
  int policy;
  clockid_t clock;
  char name[16];
  cpu_set_t cores;
  ask();
  assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
  assert(policy == SCHED_OTHER && parameters.sched_priority == 0);
  assert(pthread_setschedparam(pthread_self(), policy, &parameters) == 0);
  assert(pthread_setschedprio(pthread_self(), 0) == 0);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
  assert(pthread_getaffinity_np(pthread_self(), sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0);
  assert(pthread_create(&thread, 0, idle, 0) == 0);
  assert(pthread_setname_np(thread, "asks") == 0);
  assert(pthread_getname_np(thread, name, sizeof name) == 0 && strcmp(name, "asks") == 0);
  assert(pthread_kill(thread, 0) == 0);
  assert(pthread_join(thread, 0) == 0);
  return 0;
}
