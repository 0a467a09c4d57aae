/* SPDX-License-Identifier: Apache-2.0
 *
 * A team of threads that share out the numbers 0 to `count` - 1 in chunks and
 * add up what `function` returns for them.
 */
#ifndef TEAM_H
#define TEAM_H

#include <stdint.h>

typedef uint64_t (*team_function)(uint64_t number);

/* Returns the sum; sets *used to the number of threads that were started. */
uint64_t team_sum(team_function function, uint64_t count, int threads, int* used);

#endif
