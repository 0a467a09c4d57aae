// SPDX-License-Identifier: Apache-2.0
// Functions of <string.h> on shared memory: edge cases (empty, nothing found, count 0, overlap) and their accesses.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains load >=300
// heddle: contains store >=100
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char a[64], b[64];

static void lengths_and_searches(void) {
  strcpy(a, "");
  assert(strlen(a) == 0 && strnlen(a, 9) == 0 && strchr(a, 'x') == NULL && strchr(a, 0) == a);
  assert(strstr(a, "") == a && strstr(a, "x") == NULL && strrchr(a, 0) == a && strpbrk(a, "x") == NULL);
  strcpy(a, "abcabcd");
  assert(strlen(a) == 7 && strnlen(a, 3) == 3 && strnlen(a, 0) == 0);
  assert(strchr(a, 'b') == a + 1 && strrchr(a, 'b') == a + 4 && strrchr(a, 'x') == NULL);
  assert(strchrnul(a, 'x') == a + 7 && strchrnul(a, 'd') == a + 6 && rawmemchr(a, 'd') == a + 6);
  assert(strstr(a, "abcd") == a + 3 && strstr(a, "abce") == NULL && strstr(a, "dx") == NULL);
  assert(strspn(a, "cba") == 6 && strspn(a, "") == 0 && strcspn(a, "d") == 6 && strcspn(a, "") == 7);
  assert(strpbrk(a, "dc") == a + 2 && strpbrk(a, "") == NULL);
  assert(memchr(a, 'c', 2) == NULL && memchr(a, 'c', 3) == a + 2 && memchr(a, 'a', 0) == NULL);
  assert(memrchr(a, 'a', 7) == a + 3 && memrchr(a, 'a', 0) == NULL && memmem(a, 7, "cd", 2) == a + 5);
}

static void comparisons(void) {
  strcpy(a, "abc"), strcpy(b, "abD");
  assert(strcmp(a, b) > 0 && strcmp(a, a) == 0 && strcmp("", a) < 0 && strncmp(a, b, 2) == 0 && strncmp(a, b, 0) == 0);
  assert(strcasecmp(a, b) < 0 && strcasecmp("ABC", a) == 0 && strncasecmp("ABX", a, 2) == 0);
  strcpy(b, "\xff");
  assert(strcmp(a, b) < 0 && memcmp(a, b, 1) < 0 && memcmp(a, b, 0) == 0);
  memset(a, 7, 40), memset(b, 7, 40);
  assert(memcmp(a, b, 40) == 0 && bcmp(a + 1, b + 2, 33) == 0);
  b[17] = 9;
  assert(memcmp(a, b, 40) < 0 && memcmp(b, a, 18) > 0 && memcmp(a, b, 17) == 0);
}

static void copies(void) {
  assert(stpcpy(a, "one") == a + 3 && strcat(a, "two") == a && strcmp(a, "onetwo") == 0);
  assert(strncat(a, "three", 2) == a && strcmp(a, "onetwoth") == 0 && strncat(a, "x", 0) == a && strlen(a) == 8);
  memset(b, 'x', sizeof b);
  assert(strncpy(b, "ab", 4) == b && b[2] == 0 && b[3] == 0 && b[4] == 'x');
  assert(strncpy(b, "abcdef", 3) == b && b[3] == 0 && b[2] == 'c' && strncpy(b, "z", 0) == b && b[0] == 'a');
  assert(stpncpy(b, "abc", 8) == b + 3 && memccpy(b, "abc", 'b', 3) == b + 2 && memccpy(b, "abc", 'x', 3) == NULL);
  strcpy(a, "0123456789");
  void* (*volatile move)(void*, const void*, size_t) = memmove;
  assert(move(a + 2, a, 5) == a + 2 && strcmp(a, "0101234789") == 0);
  assert(move(a, a + 1, 6) == a && strcmp(a, "1012344789") == 0);
  assert(mempcpy(b, a, 11) == b + 11 && strcmp(a, b) == 0);
  bzero(a, 3), bcopy(b, a, 1);
  assert(a[0] == '1' && a[1] == 0);
  char* copy = strdup(b);
  char* part = strndup(b, 3);
  assert(copy != b && strcmp(copy, b) == 0 && strcmp(part, "101") == 0);
  free(copy), free(part);
}

static void tokens(void) {
  char *rest, *cursor;
  strcpy(a, "::one:two::");
  assert(strcmp(strtok_r(a, ":", &rest), "one") == 0 && strcmp(strtok_r(NULL, ":", &rest), "two") == 0);
  assert(strtok_r(NULL, ":", &rest) == NULL && strtok_r(NULL, ":", &rest) == NULL);
  strcpy(a, "x y");
  assert(strcmp(strtok(a, " "), "x") == 0 && strcmp(strtok(NULL, " "), "y") == 0 && strtok(NULL, " ") == NULL);
  strcpy(a, "p,,q");
  cursor = a;
  assert(strcmp(strsep(&cursor, ","), "p") == 0 && strcmp(strsep(&cursor, ","), "") == 0);
  assert(strcmp(strsep(&cursor, ","), "q") == 0 && cursor == NULL && strsep(&cursor, ",") == NULL);
}

int main(void) {
  lengths_and_searches();
  comparisons();
  copies();
  tokens();
  return 0;
}
