// SPDX-License-Identifier: Apache-2.0
//
// Models of comparisons. Strings are read byte by byte up to the difference;
// memcmp may read all of its ranges, and does so in pieces of eight bytes, so
// that the comparison of two std::string is a few events.
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static int compare_strings(const char* left, const char* right, size_t limit, int fold) {
  for (size_t i = 0; i < limit; ++i) {
    unsigned char a = (unsigned char)left[i], b = (unsigned char)right[i];
    const int ends = !a;
    if (fold) a = (unsigned char)tolower(a), b = (unsigned char)tolower(b);
    if (a != b) return a - b;
    if (ends) return 0;
  }
  return 0;
}

// The first bytes count most.
static uint64_t read_piece(const unsigned char* from, size_t size) {
  uint64_t piece = 0;
  if (size == 8)
    __builtin_memcpy(&piece, from, 8);
  else
    __builtin_memcpy(&piece, from, size);
  return __builtin_bswap64(piece);
}

static int compare_ranges(const void* left, const void* right, size_t size) {
  const unsigned char *a = left, *b = right;
  for (size_t at = 0; at < size; at += 8) {
    const size_t part = size - at < 8 ? size - at : 8;
    const uint64_t x = read_piece(a + at, part), y = read_piece(b + at, part);
    if (x == y) continue;
    const int shift = __builtin_clzll(x ^ y) / 8 * 8;
    return (int)(x << shift >> 56) - (int)(y << shift >> 56);
  }
  return 0;
}

int memcmp(const void* left, const void* right, size_t size) { return compare_ranges(left, right, size); }
int bcmp(const void* left, const void* right, size_t size) { return compare_ranges(left, right, size); }
int strcmp(const char* left, const char* right) { return compare_strings(left, right, SIZE_MAX, 0); }
int strncmp(const char* left, const char* right, size_t limit) { return compare_strings(left, right, limit, 0); }
int strcasecmp(const char* left, const char* right) { return compare_strings(left, right, SIZE_MAX, 1); }
int strncasecmp(const char* left, const char* right, size_t limit) { return compare_strings(left, right, limit, 1); }
