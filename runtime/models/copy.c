// SPDX-License-Identifier: Apache-2.0
//
// Models of functions that copy or cut strings: a load and a store per byte, the
// terminating zero last, so that a reader in between sees a torn string.
// The `_chk` forms are what _FORTIFY_SOURCE makes of the plain ones.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __chk_fail(void);

static size_t length_of(const char* text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length]) ++length;
  return length;
}

// Returns where the zero was written.
static char* copy(char* to, const char* from) {
  for (;; ++to, ++from)
    if (!(*to = *from)) return to;
}

// As `copy`, for at most `room` bytes with the zero.
static char* copy_into(char* to, const char* from, size_t room) {
  for (;; ++to, ++from, --room) {
    if (!room) __chk_fail();
    const char c = *from;
    *to = c;
    if (!c) return to;
  }
}

static char* fill_field(char* to, const char* from, size_t size) {
  size_t i = 0;
  for (char c; i < size && (c = from[i]) != 0; ++i) to[i] = c;
  char* end = to + i;
  for (; i < size; ++i) to[i] = 0;
  return end;
}

static char* append(char* to, const char* from, size_t limit) {
  char* end = to + length_of(to, SIZE_MAX);
  for (char c; limit > 0 && (c = *from) != 0; --limit, ++from) *end++ = c;
  *end = 0;
  return to;
}

static char* duplicate(const char* text, size_t length) {
  char* result = malloc(length + 1);
  if (!result) return NULL;
  __builtin_memcpy(result, text, length);
  result[length] = 0;
  return result;
}

static int is_one_of(const char* set, char c) {
  for (; *set; ++set)
    if (*set == c) return 1;
  return 0;
}

static char* next_token(char* text, const char* delimiters, char** rest) {
  if (!text) text = *rest;
  if (!text) return NULL;
  char c;
  while ((c = *text) != 0 && is_one_of(delimiters, c)) ++text;
  if (!c) {
    *rest = text;
    return NULL;
  }
  char* end = text;
  while ((c = *end) != 0 && !is_one_of(delimiters, c)) ++end;
  if (c) *end++ = 0;
  *rest = end;
  return text;
}

char* strcpy(char* restrict to, const char* restrict from) {
  copy(to, from);
  return to;
}
char* stpcpy(char* restrict to, const char* restrict from) { return copy(to, from); }
char* __strcpy_chk(char* restrict to, const char* restrict from, size_t room) {
  copy_into(to, from, room);
  return to;
}
char* __stpcpy_chk(char* restrict to, const char* restrict from, size_t room) { return copy_into(to, from, room); }

char* strncpy(char* restrict to, const char* restrict from, size_t size) {
  fill_field(to, from, size);
  return to;
}
char* stpncpy(char* restrict to, const char* restrict from, size_t size) { return fill_field(to, from, size); }
char* __strncpy_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) __chk_fail();
  fill_field(to, from, size);
  return to;
}

char* strcat(char* restrict to, const char* restrict from) { return append(to, from, SIZE_MAX); }
char* strncat(char* restrict to, const char* restrict from, size_t limit) { return append(to, from, limit); }
char* __strcat_chk(char* restrict to, const char* restrict from, size_t room) {
  const size_t length = length_of(to, room);
  copy_into(to + length, from, room - length);
  return to;
}
char* __strncat_chk(char* restrict to, const char* restrict from, size_t limit, size_t room) {
  if (length_of(to, room) + length_of(from, limit) >= room) __chk_fail();
  return append(to, from, limit);
}

char* strdup(const char* text) { return duplicate(text, length_of(text, SIZE_MAX)); }
char* __strdup(const char* text) { return duplicate(text, length_of(text, SIZE_MAX)); }
char* strndup(const char* text, size_t limit) { return duplicate(text, length_of(text, limit)); }

char* strtok_r(char* restrict text, const char* restrict delimiters, char** restrict rest) {
  return next_token(text, delimiters, rest);
}
char* __strtok_r(char* restrict text, const char* restrict delimiters, char** restrict rest) {
  return next_token(text, delimiters, rest);
}

// One place for all threads: two that use strtok disturb each other.
char* strtok(char* restrict text, const char* restrict delimiters) {
  static char* rest;
  return next_token(text, delimiters, &rest);
}

char* strsep(char** restrict text, const char* restrict delimiters) {
  char* start = *text;
  if (!start) return NULL;
  char *end = start, c;
  while ((c = *end) != 0 && !is_one_of(delimiters, c)) ++end;
  if (c) *end++ = 0;
  *text = c ? end : NULL;
  return start;
}
