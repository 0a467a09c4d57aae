/* SPDX-License-Identifier: Apache-2.0 */
#include "checksum.h"

static unsigned turn(unsigned value) {
#if defined(__x86_64__)
  __asm__("roll $1, %0" : "+r"(value) : : "cc");
  return value;
#else
  return value << 1 | value >> 31;
#endif
}

unsigned checksum(const void* bytes, size_t size) {
  const unsigned char* at = bytes;
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum = turn(sum) + at[i];
  return sum;
}
