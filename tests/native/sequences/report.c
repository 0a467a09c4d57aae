/* SPDX-License-Identifier: Apache-2.0
 *
 * What is seen of a sequence: numbers, each of which says what happened (8 bits, of
 * the enumeration in sequence.h), to which thread (8), errno (16) and a value (32).
 * Natively they are kept in shared memory, so that nothing is lost in a crash.
 */
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sequence.h"

#ifndef __HEDDLE__
int64_t* kept_reports; /* the first one is how many there are */
#endif

void report(int what, int thread, long value, int error) {
  const int64_t number = ((int64_t)what << 56) | ((int64_t)thread << 48) | ((int64_t)error << 32) | (uint32_t)value;
#ifdef __HEDDLE__
  heddle_observe("report", number);
#else
  kept_reports[++kept_reports[0]] = number;
#endif
}

_Noreturn void refuse(const char* why, const char* text) {
  fprintf(stderr, "sequences: %s: %s\n", why, text);
  exit(3);
}
