/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls brought into a recorded run, for a controlled run that is to be told
 * the same: a file, which the variable HEDDLE_GIVEN names. HeddleGivenHead, then
 * `calls` HeddleGivenCall, ascending by thread and site, the calls of one thread
 * at one site in their order; then bytes. */
#ifndef HEDDLE_ABI_GIVEN_INPUTS_H
#define HEDDLE_ABI_GIVEN_INPUTS_H

#include <stdint.h>

#define HEDDLE_GIVEN_VARIABLE "HEDDLE_GIVEN"
#define HEDDLE_GIVEN_MAGIC 0x31736e6576696768ull

typedef struct HeddleGivenHead {
  uint64_t magic;
  uint64_t calls;
} HeddleGivenHead;

typedef struct HeddleGivenCall {
  uint64_t thread; /* heddle_thread_number */
  uint64_t site;
  uint64_t result;
  uint64_t bytes;  /* how many it wrote, ... */
  uint64_t offset; /* ... and where they are in the file */
} HeddleGivenCall;

/* Threads by their place in the tree of creation. */
#define HEDDLE_FIRST_THREAD_NUMBER 1ull
static inline uint64_t heddle_thread_number(uint64_t parent, uint32_t child_number) {
  return (parent ^ (child_number + 1ull)) * 0x100000001b3ull + child_number;
}

#endif
