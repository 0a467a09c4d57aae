// SPDX-License-Identifier: Apache-2.0
//
// Quicksort with a new thread for each half, down to a depth.
//
// The input has 12 rows of 10 numbers. Each row is sorted by a tree of threads:
// whoever has split a part gives both sides to new threads, two levels deep (also
// when a side is empty, so the number of threads is fixed: 6 a row, 72 in all);
// below that a part is sorted by recursion. In the end the rows are merged.
//
// Race free: sides do not overlap, and who splits joins both.
#include "fault.h"

enum { kDepth = 2 };

struct Header {
  int rows;
  int columns;
};

struct Part {
  double *values;
  int count;
  int depth;
};

static void sort(double *values, int count, int depth);

static void *sort_part(void *argument) {
  struct Part *part = argument;
  sort(part->values, part->count, part->depth);
  free(part);
  return NULL;
}

static struct Part *make_part(double *values, int count, int depth) {
  struct Part *part = allocate(sizeof *part);
  part->values = values;
  part->count = count;
  part->depth = depth;
  return part;
}

// Puts the last value where it belongs, smaller ones before it; returns that place.
static int split(double *values, int count) {
  double pivot = values[count - 1];
  int place = 0;
  for (int i = 0; i < count - 1; i++) {
    if (values[i] < pivot) {
      double value = values[i];
      values[i] = values[place];
      values[place] = value;
      place++;
    }
  }
  values[count - 1] = values[place];
  values[place] = pivot;
  return place;
}

static void sort(double *values, int count, int depth) {
  int place = count > 1 ? split(values, count) : 0;
  int after = count > 1 ? count - place - 1 : 0;
  if (depth < kDepth) {
    pthread_t left, right;
    start_thread(&left, sort_part, make_part(values, place, depth + 1));
    start_thread(&right, sort_part, make_part(values + count - after, after, depth + 1));
    join_thread(left);
    join_thread(right);
  } else {
    if (place > 1) sort(values, place, depth);
    if (after > 1) sort(values + count - after, after, depth);
  }
}

// Merges two sorted runs that lie one behind the other.
static void merge(double *values, int first, int second, double *space) {
  int i = 0, j = first;
  for (int k = 0; k < first + second; k++) {
    if (j == first + second || (i < first && values[i] <= values[j])) {
      space[k] = values[i++];
    } else {
      space[k] = values[j++];
    }
  }
  for (int k = 0; k < first + second; k++) values[k] = space[k];
}

// Neighbours first, then pairs of pairs.
static void merge_rows(double *values, int rows, int columns) {
  double *space = allocate(sizeof(double) * rows * columns);
  for (int run = 1; run < rows; run *= 2) {
    for (int row = 0; row + run < rows; row += 2 * run) {
      int second = row + 2 * run <= rows ? run : rows - row - run;
      merge(values + row * columns, run * columns, second * columns, space);
    }
  }
  free(space);
}

int main(int argc, char **argv) {
  struct Header header;
  FILE *file = open_input(argc, argv);
  read_into(file, &header, sizeof header, 1);
  int count = header.rows * header.columns;
  double *values = allocate(sizeof(double) * count);
  read_into(file, values, sizeof(double), count);
  fclose(file);
  for (int row = 0; row < header.rows; row++) sort(values + row * header.columns, header.columns, 0);
  merge_rows(values, header.rows, header.columns);
  write_result(argc, argv, values, sizeof(double), count);
  free(values);
  return 0;
}
