/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place of the runtime where a C++ exception of the program passes
 * through and something must be done on the way: C with a cleanup attribute
 * needs no C++ library. */
#include "once_call.h"

typedef struct Leaving {
  pthread_once_t* control;
  int done;
} Leaving;

static void left(Leaving* leaving) { heddle_once_left(leaving->control, leaving->done); }

void heddle_once_call(pthread_once_t* control, void (*initialise)(void)) {
  Leaving leaving __attribute__((cleanup(left))) = {control, 0};
  initialise();
  leaving.done = 1;
}
