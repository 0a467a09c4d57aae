// SPDX-License-Identifier: Apache-2.0
//
// Models of functions that look for something in a string or a range. Each byte
// looked at is one load, in the order of the bytes, and none after the answer
// is known: what another thread writes meanwhile is seen or not, as it would be.
#include <stddef.h>
#include <string.h>

static const char* end_of(const char* text) {
  while (*text) ++text;
  return text;
}

static int holds(const char* set, char wanted) {
  for (; *set; ++set)
    if (*set == wanted) return 1;
  return 0;
}

size_t strlen(const char* text) { return (size_t)(end_of(text) - text); }

size_t strnlen(const char* text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length]) ++length;
  return length;
}

void* memchr(const void* range, int byte, size_t size) {
  const unsigned char* bytes = range;
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] == (unsigned char)byte) return (void*)(bytes + i);
  return NULL;
}

void* memrchr(const void* range, int byte, size_t size) {
  const unsigned char* bytes = range;
  while (size-- > 0)
    if (bytes[size] == (unsigned char)byte) return (void*)(bytes + size);
  return NULL;
}

void* rawmemchr(const void* range, int byte) {
  const unsigned char* bytes = range;
  while (*bytes != (unsigned char)byte) ++bytes;
  return (void*)bytes;
}

char* strchrnul(const char* text, int wanted) {
  for (;; ++text) {
    const char found = *text;
    if (found == (char)wanted || !found) return (char*)text;
  }
}

char* strchr(const char* text, int wanted) {
  for (;; ++text) {
    const char found = *text;
    if (found == (char)wanted) return (char*)text;
    if (!found) return NULL;
  }
}

char* index(const char* text, int wanted) {
  for (;; ++text) {
    const char found = *text;
    if (found == (char)wanted) return (char*)text;
    if (!found) return NULL;
  }
}

char* strrchr(const char* text, int wanted) {
  const char* last = NULL;
  for (;; ++text) {
    const char found = *text;
    if (found == (char)wanted) last = text;
    if (!found) return (char*)last;
  }
}

char* strstr(const char* text, const char* wanted) {
  for (;; ++text) {
    size_t same = 0;
    while (wanted[same] && text[same] == wanted[same]) ++same;
    if (!wanted[same]) return (char*)text;
    if (!text[same]) return NULL;
  }
}

void* memmem(const void* range, size_t size, const void* wanted, size_t wanted_size) {
  const unsigned char *bytes = range, *pattern = wanted;
  for (size_t start = 0; wanted_size <= size && start <= size - wanted_size; ++start) {
    size_t same = 0;
    while (same < wanted_size && bytes[start + same] == pattern[same]) ++same;
    if (same == wanted_size) return (void*)(bytes + start);
  }
  return NULL;
}

size_t strspn(const char* text, const char* accepted) {
  size_t length = 0;
  for (char c; (c = text[length]) != 0 && holds(accepted, c);) ++length;
  return length;
}

size_t strcspn(const char* text, const char* rejected) {
  size_t length = 0;
  for (char c; (c = text[length]) != 0 && !holds(rejected, c);) ++length;
  return length;
}

char* strpbrk(const char* text, const char* wanted) {
  for (char c; (c = *text) != 0; ++text)
    if (holds(wanted, c)) return (char*)text;
  return NULL;
}
