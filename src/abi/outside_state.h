/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the C library that answer from a state which all threads share: what
 * they say depends on who called them before. The value of a HEDDLE_EXTERN_CALL says
 * which state that is. */
#ifndef HEDDLE_ABI_OUTSIDE_STATE_H
#define HEDDLE_ABI_OUTSIDE_STATE_H

enum HeddleOutsideState {
  HEDDLE_STATE_NONE = 0, /* or nobody knows */
  HEDDLE_STATE_RANDOM = 1,
  HEDDLE_STATE_STREAM = 2, /* where the next character is read */
  HEDDLE_STATE_ENVIRONMENT = 3,
  HEDDLE_STATE_DESCRIPTORS = 4, /* which numbers are free */
};
#define HEDDLE_OUTSIDE_STATES 5

#endif
