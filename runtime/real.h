// SPDX-License-Identifier: Apache-2.0
//
// The C library's own functions behind those that the runtime replaces. The
// program and all its libraries bind to the runtime's definitions; the runtime
// itself calls these.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

namespace heddle::rt {

struct RealFunctions {
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*pthread_attr_setstack)(pthread_attr_t*, void*, size_t);
  pthread_t (*pthread_self)();
  void* (*mmap)(void*, size_t, int, int, int, off_t);
  int (*munmap)(void*, size_t);
  long (*syscall)(long, ...);
  ssize_t (*write)(int, const void*, size_t);
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  int (*clock_gettime)(clockid_t, struct timespec*);
  int (*fflush)(FILE*);
  pid_t (*fork)();
  void* (*dlopen)(const char*, int);
  int (*cxa_atexit)(void (*)(void*), void*, void*);
  size_t (*malloc_usable_size)(void*);
  void (*exit_now)(int);
};

extern RealFunctions real;

// Fills `real`. Must run before anything else of the runtime; calling it again
// does nothing.
void find_real_functions();

}  // namespace heddle::rt
