// SPDX-License-Identifier: Apache-2.0
//
// Models of memcpy and its family where a program calls them as functions
// (through a pointer, with -fno-builtin, or as _FORTIFY_SOURCE's `_chk` forms).
// The builtins become the same hooks as everywhere else.
#include <stddef.h>
#include <string.h>
#include <strings.h>

_Noreturn void __chk_fail(void);

static void expect_room(size_t size, size_t room) {
  if (size > room) __chk_fail();
}

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return to;
}

void* mempcpy(void* restrict to, const void* restrict from, size_t size) {
  __builtin_memcpy(to, from, size);
  return (char*)to + size;
}

void* memmove(void* to, const void* from, size_t size) {
  __builtin_memmove(to, from, size);
  return to;
}

void* memset(void* to, int byte, size_t size) {
  __builtin_memset(to, byte, size);
  return to;
}

void bzero(void* to, size_t size) { __builtin_memset(to, 0, size); }
void explicit_bzero(void* to, size_t size) { __builtin_memset(to, 0, size); }
void bcopy(const void* from, void* to, size_t size) { __builtin_memmove(to, from, size); }

void* memccpy(void* restrict to, const void* restrict from, int last, size_t size) {
  const unsigned char* bytes = from;
  unsigned char* copies = to;
  for (size_t i = 0; i < size; ++i) {
    const unsigned char byte = bytes[i];
    copies[i] = byte;
    if (byte == (unsigned char)last) return copies + i + 1;
  }
  return NULL;
}

void* __memcpy_chk(void* restrict to, const void* restrict from, size_t size, size_t room) {
  expect_room(size, room);
  __builtin_memcpy(to, from, size);
  return to;
}

void* __mempcpy_chk(void* restrict to, const void* restrict from, size_t size, size_t room) {
  expect_room(size, room);
  __builtin_memcpy(to, from, size);
  return (char*)to + size;
}

void* __memmove_chk(void* to, const void* from, size_t size, size_t room) {
  expect_room(size, room);
  __builtin_memmove(to, from, size);
  return to;
}

void* __memset_chk(void* to, int byte, size_t size, size_t room) {
  expect_room(size, room);
  __builtin_memset(to, byte, size);
  return to;
}
