/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NAME-peer.c programs share, so that one source runs under Heddle and
 * under the checkers it is compared with: every shared access goes through LD and
 * ST.
 *
 *   -DMO=...   memory order (default relaxed: buffered under TSO and PSO)
 *   -DPLAIN    plain volatile ints
 *   -DCHECK    assertions on; else conditions are evaluated and not asserted, so
 *              that a tool explores everything
 *   -DN=... -DK=...   sizes
 */
#include <pthread.h>
#include <assert.h>
#include <stddef.h>
#ifdef PLAIN
typedef volatile int sh;
#define LD(x) (x)
#define ST(x,v) ((x) = (v))
#else
#include <stdatomic.h>
typedef atomic_int sh;
#ifndef MO
#define MO memory_order_relaxed
#endif
#define LD(x) atomic_load_explicit(&(x), MO)
#define ST(x,v) atomic_store_explicit(&(x), (v), MO)
#endif
#ifdef CHECK
#define CHK(c) assert(c)
#else
#define CHK(c) ((void)(c))
#endif
#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
#define GO(t,f,a) pthread_create(&(t), NULL, f, a)
#define END(t) pthread_join(t, NULL)
