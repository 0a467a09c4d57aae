// SPDX-License-Identifier: Apache-2.0
// qsort of 200 shared elements, of elements of odd size, of none and of one; bsearch finds each and nothing else.
// heddle: expect exit 0
// heddle: schedules all
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct Odd {
  char key, body[6];
};

static int numbers[200];
static struct Odd odds[40];

static int by_value(const void* left, const void* right) {
  const int a = *(const int*)left, b = *(const int*)right;
  return (a > b) - (a < b);
}

static int by_key(const void* left, const void* right, void* count) {
  ++*(int*)count;
  return ((const struct Odd*)left)->key - ((const struct Odd*)right)->key;
}

int main(void) {
  unsigned random = 12345;
  for (int i = 0; i < 200; i++) numbers[i] = (int)((random = random * 1103515245u + 12345u) >> 20) * 2;
  qsort(numbers, 0, sizeof *numbers, by_value);
  qsort(numbers, 1, sizeof *numbers, by_value);
  qsort(numbers, 200, sizeof *numbers, by_value);
  for (int i = 1; i < 200; i++) assert(numbers[i - 1] <= numbers[i]);
  for (int i = 0; i < 200; i += 7) {
    int* found = bsearch(&numbers[i], numbers, 200, sizeof *numbers, by_value);
    assert(found != NULL && *found == numbers[i]);
    const int missing = numbers[i] + 1;
    assert(bsearch(&missing, numbers, 200, sizeof *numbers, by_value) == NULL);
  }
  assert(bsearch(numbers, numbers, 0, sizeof *numbers, by_value) == NULL);

  int count = 0;
  for (int i = 0; i < 40; i++) {
    odds[i].key = (char)(i * 7 % 5);
    memset(odds[i].body, i, sizeof odds[i].body);
  }
  qsort_r(odds, 40, sizeof *odds, by_key, &count);
  for (int i = 1; i < 40; i++) {
    assert(odds[i - 1].key < odds[i].key || (odds[i - 1].key == odds[i].key && odds[i - 1].body[5] < odds[i].body[0]));
    assert(odds[i].key == odds[i].body[3] * 7 % 5);
  }
  assert(count > 40);
  return 0;
}
