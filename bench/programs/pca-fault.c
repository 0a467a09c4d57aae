// SPDX-License-Identifier: Apache-2.0
//
// The first half of a principal component analysis: means and covariances of the
// rows of a matrix (30 by 30).
//
// 7 threads centre rows on their mean, main joins them, then 10 threads compute
// covariances: the thread that has row i does the pairs (i, j) with j >= i.
// Which thread has which rows is fixed, so a thread does the same in every run.
//
// -DCOUNTER: threads take the next row from a counter under a mutex. Results are
// the same and there is no race, but who does what depends on the schedule: no
// fault-free run is like another, and Heddle must refuse the program.
#include "fault.h"

enum { kMeanWorkers = 7, kCovarianceWorkers = 10, kStep = 10 };

struct Header {
  int rows;
  int columns;  // a multiple of kStep
};

struct Matrix {
  struct Header size;
  double *values;
  double *means;
  double *covariances;
};

struct Work {
  struct Matrix *matrix;
  int first;
  int step;
};

#ifdef COUNTER
static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
#endif

// The rows of a worker: first, first + step, ...; or whatever row nobody has yet.
static int next_row(struct Work *work) {
#ifdef COUNTER
  pthread_mutex_lock(&counter_lock);
  int row = counter++;
  pthread_mutex_unlock(&counter_lock);
#else
  int row = work->first;
  work->first += work->step;
#endif
  return row < work->matrix->size.rows ? row : -1;
}

static void *centre_rows(void *argument) {
  struct Work *work = argument;
  struct Matrix *matrix = work->matrix;
  int columns = matrix->size.columns;
  for (int row = next_row(work); row >= 0; row = next_row(work)) {
    double *values = matrix->values + row * columns;
    double sum = 0;
    for (int i = 0; i < columns; i++) sum += values[i];
    double mean = sum / columns;
    matrix->means[row] = mean;
    for (int i = 0; i < columns; i++) values[i] -= mean;
  }
  return NULL;
}

static double product(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i += kStep) {
    sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] +
           a[5] * b[5] + a[6] * b[6] + a[7] * b[7] + a[8] * b[8] + a[9] * b[9];
    a += kStep;
    b += kStep;
  }
  return sum;
}

static void *relate_rows(void *argument) {
  struct Work *work = argument;
  struct Matrix *matrix = work->matrix;
  int rows = matrix->size.rows, columns = matrix->size.columns;
  for (int row = next_row(work); row >= 0; row = next_row(work)) {
    for (int other = row; other < rows; other++) {
      double value = product(matrix->values + row * columns, matrix->values + other * columns, columns) / (columns - 1);
      matrix->covariances[row * rows + other] = value;
      matrix->covariances[other * rows + row] = value;
    }
  }
  return NULL;
}

// Gives all rows to that many threads and waits for them.
static void in_parallel(struct Matrix *matrix, int workers, void *(*function)(void *)) {
  pthread_t *threads = allocate_zeroed(workers, sizeof(pthread_t));
  struct Work *works = allocate_zeroed(workers, sizeof(struct Work));
#ifdef COUNTER
  counter = 0;
#endif
  for (int i = 0; i < workers; i++) {
    works[i] = (struct Work){matrix, i, workers};
    start_thread(&threads[i], function, &works[i]);
  }
  for (int i = 0; i < workers; i++) join_thread(threads[i]);
  free(works);
  free(threads);
}

int main(int argc, char **argv) {
  struct Matrix matrix;
  FILE *file = open_input(argc, argv);
  read_into(file, &matrix.size, sizeof matrix.size, 1);
  int rows = matrix.size.rows, count = rows * matrix.size.columns;
  matrix.values = allocate(sizeof(double) * count);
  read_into(file, matrix.values, sizeof(double), count);
  fclose(file);
  // The means stand behind the covariances, so that one fwrite writes both.
  matrix.covariances = allocate_zeroed(rows * rows + rows, sizeof(double));
  matrix.means = matrix.covariances + rows * rows;
  in_parallel(&matrix, kMeanWorkers, centre_rows);
  in_parallel(&matrix, kCovarianceWorkers, relate_rows);
  write_result(argc, argv, matrix.covariances, sizeof(double), rows * rows + rows);
  free(matrix.covariances);
  free(matrix.values);
  return 0;
}
