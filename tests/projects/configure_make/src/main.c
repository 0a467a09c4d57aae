/* SPDX-License-Identifier: Apache-2.0
 *
 * squares [COUNT] [THREADS]: adds up the first COUNT squares in a team of
 * threads and prints the sum and its root.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "config.h"
#include "team.h"

uint64_t square(uint64_t number);

#if SIZEOF_VOIDP != 8 || SIZEOF_INT != 4 || !defined(HAVE_PTHREAD_H) || defined(HAVE_NO_SUCH_HEADER_H) || \
    defined(WORDS_BIGENDIAN)
#error "configure gave wrong answers"
#endif

int main(int argc, char** argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
  int threads = argc > 2 ? atoi(argv[2]) : 4, used = 0;
  uint64_t sum = team_sum(square, count, threads, &used);
  char line[80];
  snprintf(line, sizeof line, "sum %llu threads %d root %.1f", (unsigned long long)sum, used, sqrt((double)sum));
  puts(line);
  return checksum(line, strlen(line)) != 0 ? 0 : 1;
}
