// SPDX-License-Identifier: Apache-2.0
//
// Models of qsort and bsearch. A merge sort, like the C library's: equal
// elements keep their order. The left half goes to a second place and is merged
// back from there; that place is a local for small arrays.
#include <stddef.h>
#include <stdlib.h>

typedef int (*Compare)(const void*, const void*, void*);

struct Sort {
  size_t size;  // of one element
  Compare compare;
  void* argument;
  char* spare;
};

static void sort_range(const struct Sort* sort, char* first, size_t count) {
  if (count < 2) return;
  const size_t half = count / 2, size = sort->size;
  char* middle = first + half * size;
  sort_range(sort, first, half);
  sort_range(sort, middle, count - half);
  if (sort->compare(middle - size, middle, sort->argument) <= 0) return;

  __builtin_memcpy(sort->spare, first, half * size);
  char *left = sort->spare, *right = middle, *to = first;
  size_t lefts = half, rights = count - half;
  while (lefts > 0 && rights > 0) {
    if (sort->compare(left, right, sort->argument) <= 0) {
      __builtin_memcpy(to, left, size);
      left += size, --lefts;
    } else {
      __builtin_memmove(to, right, size);
      right += size, --rights;
    }
    to += size;
  }
  __builtin_memcpy(to, left, lefts * size);
}

// Without memory for the second place.
static void insert_each(const struct Sort* sort, char* first, size_t count) {
  const size_t size = sort->size;
  for (size_t i = 1; i < count; ++i) {
    for (char* at = first + i * size; at > first && sort->compare(at - size, at, sort->argument) > 0; at -= size) {
      for (size_t byte = 0; byte < size; ++byte) {
        const char kept = at[byte];
        at[byte] = at[byte - size];
        at[byte - size] = kept;
      }
    }
  }
}

static void sort_array(void* array, size_t count, size_t size, Compare compare, void* argument) {
  if (count < 2 || size == 0) return;
  struct Sort sort = {size, compare, argument, NULL};
  _Alignas(16) char small[512];
  if (count / 2 <= sizeof small / size) {
    sort.spare = small;
    sort_range(&sort, array, count);
    return;
  }
  sort.spare = malloc(count / 2 * size);
  if (!sort.spare) {
    insert_each(&sort, array, count);
    return;
  }
  sort_range(&sort, array, count);
  free(sort.spare);
}

typedef int (*PlainCompare)(const void*, const void*);

static int compare_plainly(const void* left, const void* right, void* compare) {
  return ((PlainCompare)compare)(left, right);
}

void qsort(void* array, size_t count, size_t size, PlainCompare compare) {
  sort_array(array, count, size, compare_plainly, (void*)compare);
}

void qsort_r(void* array, size_t count, size_t size, Compare compare, void* argument) {
  sort_array(array, count, size, compare, argument);
}

void* bsearch(const void* key, const void* array, size_t count, size_t size, PlainCompare compare) {
  const char* first = array;
  while (count > 0) {
    const char* middle = first + count / 2 * size;
    const int order = compare(key, middle);
    if (order == 0) return (void*)middle;
    if (order > 0) {
      first = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}
