// SPDX-License-Identifier: Apache-2.0
//
// What the programs that faults are injected into (NAME-fault.c) have in common:
//
//     NAME INPUT [OUTPUT]
//
// reads INPUT with fread, works, and writes its result with one fwrite to
// standard output or to OUTPUT. Nothing else is written, so a result that
// differs is all that silent corruption can be. What a program notices itself
// (a file that is too short, no memory) ends it with code 3.
//
// -DTHREADS=0 makes the form with one thread: start_thread calls the worker.
#ifndef HEDDLE_BENCH_PROGRAMS_FAULT_H
#define HEDDLE_BENCH_PROGRAMS_FAULT_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 1
#endif

static inline void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(3);
}

static inline FILE *open_input(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s INPUT [OUTPUT]\n", argv[0]);
    exit(2);
  }
  FILE *file = fopen(argv[1], "rb");
  if (!file) fail("cannot open the input");
  return file;
}

static inline void read_into(FILE *file, void *memory, size_t size, size_t count) {
  if (fread(memory, size, count, file) != count) fail("the input is too short");
}

static inline void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory) fail("no memory");
  return memory;
}

static inline void *allocate_zeroed(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) fail("no memory");
  return memory;
}

static inline void write_result(int argc, char **argv, const void *memory, size_t size, size_t count) {
  FILE *file = argc > 2 ? fopen(argv[2], "wb") : stdout;
  if (!file) fail("cannot open the output");
  if (fwrite(memory, size, count, file) != count || fflush(file) != 0) fail("cannot write the output");
  if (file != stdout) fclose(file);
}

static inline void start_thread(pthread_t *thread, void *(*work)(void *), void *argument) {
#if THREADS
  if (pthread_create(thread, NULL, work, argument) != 0) fail("cannot create a thread");
#else
  *thread = 0;  // join_thread is given it
  work(argument);
#endif
}

static inline void join_thread(pthread_t thread) {
#if THREADS
  if (pthread_join(thread, NULL) != 0) fail("cannot join a thread");
#else
  (void)thread;
#endif
}

#endif
