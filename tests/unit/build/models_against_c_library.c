// SPDX-License-Identifier: Apache-2.0
//
// A program for models_test.cpp: names of functions mean their models, `native`
// finds the C library's; both must agree on random strings over a small
// alphabet, at every alignment, and on what they leave around the result.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static unsigned long state = 88172645463325252ul;
static unsigned draw(unsigned limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 20) % limit;
}

static void* native(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (!found) printf("no native %s\n", name), exit(2);
  return found;
}

static int sign(int value) { return (value > 0) - (value < 0); }
static char left[96], right[96], left2[96], set[8];

static void expect(int same, const char* name) {
  if (same && memcmp(left, left2, sizeof left) == 0) return;
  printf("%s differs for '%s' '%s' set '%s'\n", name, left, right, set);
  exit(1);
}

static char* text(char* place, unsigned limit) {
  static const char alphabet[] = "abAB\xe9";
  const unsigned length = draw(limit);
  for (unsigned i = 0; i < length; ++i) place[i] = alphabet[draw(5)];
  place[length] = 0;
  return place;
}

#define NATIVE(function) ((__typeof__(&function))native(#function))
#define SAME(function, ...) expect(function(__VA_ARGS__) == NATIVE(function)(__VA_ARGS__), #function)
#define SAME_SIGN(function, ...) expect(sign(function(__VA_ARGS__)) == sign(NATIVE(function)(__VA_ARGS__)), #function)
// On two equal buffers: equal results, equal bytes.
#define SAME_COPY(function, ...)                                                                          \
  do {                                                                                                    \
    memcpy(left2, left, sizeof left);                                                                     \
    char *const to = left + at, *const to2 = left2 + at;                                                  \
    char *model = (char*)function(to, __VA_ARGS__), *library = (char*)NATIVE(function)(to2, __VA_ARGS__); \
    expect(model - left == library - left2 || (!model && !library), #function);                           \
  } while (0)

static void round_of_searches(const char* a, const char* b, unsigned n) {
  const int c = draw(6) ? "abAB\xe9"[draw(5)] : 0;
  memcpy(left2, left, sizeof left);
  SAME(strlen, a);
  SAME(strnlen, a, n);
  SAME(strchr, a, c);
  SAME(strrchr, a, c);
  SAME(strchrnul, a, c);
  SAME(index, a, c);
  SAME(memchr, a, c, n);
  SAME(memrchr, a, c, n);
  SAME(strstr, a, set);
  SAME(memmem, a, n, set, strlen(set));
  SAME(strspn, a, set);
  SAME(strcspn, a, set);
  SAME(strpbrk, a, set);
  SAME_SIGN(strcmp, a, b);
  SAME_SIGN(strncmp, a, b, n);
  SAME_SIGN(strcasecmp, a, b);
  SAME_SIGN(strncasecmp, a, b, n);
  SAME_SIGN(memcmp, a, b, n);
  expect(!bcmp(a, b, n) == !NATIVE(bcmp)(a, b, n), "bcmp");
}

static void round_of_copies(unsigned at, unsigned n, const char* from) {
  const size_t length = strlen(from), few = draw(10);
  SAME_COPY(strcpy, from);
  SAME_COPY(stpcpy, from);
  SAME_COPY(strncpy, from, n);
  SAME_COPY(stpncpy, from, n);
  SAME_COPY(strcpy, from);
  SAME_COPY(strcat, set);
  SAME_COPY(strncat, from, few);
  SAME_COPY(memccpy, from, 'b', length);
  SAME_COPY(memcpy, from, n);
  SAME_COPY(mempcpy, from, n);
  SAME_COPY(memset, (int)n, n);
  memcpy(left2, left, sizeof left);
  const unsigned to = draw(32);
  memmove(left + to, left + at, n), NATIVE(memmove)(left2 + to, left2 + at, n);
  expect(1, "memmove");
  bcopy(left + at, left + to, n), NATIVE(bcopy)(left2 + at, left2 + to, n);
  expect(1, "bcopy");
  char* copy = strndup(from, n);
  char* whole = strdup(from);
  expect(strlen(copy) == strnlen(from, n) && strncmp(copy, from, n) == 0 && strcmp(whole, from) == 0, "strdup");
  free(copy), free(whole);
}

static void round_of_tokens(void) {
  text(left, 40);
  memcpy(left2, left, sizeof left);
  char *rest, *rest2, *a = strtok_r(left, set, &rest), *b = NATIVE(strtok_r)(left2, set, &rest2);
  for (;; a = strtok_r(NULL, set, &rest), b = NATIVE(strtok_r)(NULL, set, &rest2)) {
    expect(a ? a - left == b - left2 : !b, "strtok_r");
    if (!a) break;
  }
  char *at = left, *at2 = left2;
  while (at) {
    a = strsep(&at, set), b = NATIVE(strsep)(&at2, set);
    expect(a - left == b - left2 && (at ? at - left == at2 - left2 : !at2), "strsep");
  }
}

static int by_value(const void* a, const void* b) { return *(const unsigned char*)a - *(const unsigned char*)b; }

static void round_of_sorting(void) {
  static unsigned char array[900], copy[900];
  const size_t size = 1 + draw(9), count = draw(sizeof array / 9);
  for (size_t i = 0; i < sizeof array; ++i) copy[i] = array[i] = (unsigned char)draw(60);
  qsort(array, count, size, by_value), NATIVE(qsort)(copy, count, size, by_value);
  expect(memcmp(array, copy, sizeof array) == 0, "qsort");
  const unsigned char key = (unsigned char)draw(60);
  const unsigned char* a = bsearch(&key, array, count, size, by_value);
  const unsigned char* b = NATIVE(bsearch)(&key, array, count, size, by_value);
  expect(a ? b && *a == key : !b, "bsearch");
}

int main(void) {
  if ((void*)strlen == native("strlen") || (void*)qsort == native("qsort") || (void*)memcpy == native("memcpy")) {
    printf("no models\n");
    return 2;
  }
  for (int i = 0; i < 3000; ++i) {
    const unsigned at = draw(16), n = draw(40);
    text(set, 4);
    const char *b = text(right + draw(16), 40), *a = text(left + at, 40);
    if (draw(3) == 0) memcpy(left + at, b, strlen(b) + 1);
    round_of_searches(a, b, n);
    round_of_copies(at, n, b);
    round_of_tokens();
    if (i % 10 == 0) round_of_sorting();
  }
  return 0;
}
