/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_RUNTIME_ONCE_CALL_H
#define HEDDLE_RUNTIME_ONCE_CALL_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls initialise(); however it is left, heddle_once_left follows. */
__attribute__((noinline)) void heddle_once_call(pthread_once_t* control, void (*initialise)(void));
void heddle_once_left(pthread_once_t* control, int done);

#ifdef __cplusplus
}
#endif

#endif
