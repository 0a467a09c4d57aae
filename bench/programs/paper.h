/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NAME-paper.c programs share. Every access that counts goes through
 * READ and WRITE, so that a line of the program is a line of its description.
 * Accesses are relaxed atomics, which compilers leave alone and which are
 * buffered under TSO and PSO; with -DPLAIN they are not atomic (volatile, so that
 * none is left out), and conflicts are data races.
 *
 *   FENCE()           a full fence with -DFENCES, else nothing
 *   BUG_HAPPENED()    remembered, and asserted by main after the joins (ASSERT_NO_BUG);
 *                     so a run with the bug is complete and counts among the classes
 *   NULL_USED()       the same; with -DCRASH the null pointer really is used
 */
#ifndef HEDDLE_BENCH_PAPER_H
#define HEDDLE_BENCH_PAPER_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef PLAIN
typedef volatile int shared_int;
typedef volatile char shared_char;
#define SHARED_POINTER(type) type *volatile
#define READ(variable) (variable)
#define WRITE(variable, value) ((variable) = (value))
#else
typedef atomic_int shared_int;
typedef _Atomic(char) shared_char;
#define SHARED_POINTER(type) _Atomic(type *)
#define READ(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define WRITE(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)
#endif

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int bug_happened __attribute__((unused));
#define BUG_HAPPENED() atomic_store_explicit(&bug_happened, 1, memory_order_relaxed)
#define ASSERT_NO_BUG() assert(atomic_load_explicit(&bug_happened, memory_order_relaxed) == 0)

#ifdef CRASH
#define NULL_USED() ((void)*(volatile int *)NULL)
#else
#define NULL_USED() BUG_HAPPENED()
#endif

#define LOCK(mutex) pthread_mutex_lock(&(mutex))
#define UNLOCK(mutex) pthread_mutex_unlock(&(mutex))
#define START(thread, body, argument) pthread_create(&(thread), NULL, (body), (void *)(intptr_t)(argument))
#define JOIN(thread) pthread_join((thread), NULL)

#endif
