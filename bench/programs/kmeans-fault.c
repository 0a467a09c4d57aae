// SPDX-License-Identifier: Apache-2.0
//
// Clusters by Lloyd's method: 16 points of the plane, 10 clusters.
//
// Each round, 8 threads look for the nearest centre of 2 points each; main joins
// them; then 5 threads move 2 centres each to the middle of their points; main
// joins them. It ends after the first round in which no point changed its
// cluster: 5 rounds, 65 threads. (After a fault it may take more or fewer.)
//
// Each thread says in its own work order whether a point changed. -DSHARED_FLAG
// instead lets all of them set one variable to 1 without a lock, as the original
// does: a race, but of writes of the same value.
#include <limits.h>

#include "fault.h"

enum { kPointWorkers = 8, kCentreWorkers = 5, kMostRounds = 50 };

struct Header {
  int points;
  int clusters;
};

struct Point {
  int x;
  int y;
};

struct Clustering {
  struct Header size;
  struct Point *points;
  struct Point *centres;
  int *cluster_of;
};

struct Work {
  struct Clustering *clustering;
  int from;
  int to;
  int modified;
};

#ifdef SHARED_FLAG
static int modified;
#endif

static int nearest(const struct Point *point, const struct Point *centre, int clusters) {
  int best = 0, least = INT_MAX;
  for (int c = 0; c < clusters; c++) {
    int x = point->x - centre->x;
    int y = point->y - centre->y;
    int distance = x * x + y * y;
    if (distance < least) {
      least = distance;
      best = c;
    }
    centre++;
  }
  return best;
}

static void *assign_points(void *argument) {
  struct Work *work = argument;
  struct Clustering *clustering = work->clustering;
  for (int i = work->from; i < work->to; i++) {
    int best = nearest(&clustering->points[i], clustering->centres, clustering->size.clusters);
    if (clustering->cluster_of[i] != best) {
      clustering->cluster_of[i] = best;
#ifdef SHARED_FLAG
      modified = 1;
#else
      work->modified = 1;
#endif
    }
  }
  return NULL;
}

static void *move_centres(void *argument) {
  struct Work *work = argument;
  struct Clustering *clustering = work->clustering;
  int points = clustering->size.points;
  const int *cluster_of = clustering->cluster_of;
  for (int c = work->from; c < work->to; c++) {
    struct Point sum = {0, 0};
    int count = 0;
    for (int i = 0; i < points; i++) {
      if (cluster_of[i] != c) continue;
      sum.x += clustering->points[i].x;
      sum.y += clustering->points[i].y;
      count++;
    }
    if (count > 0) {
      clustering->centres[c].x = sum.x / count;
      clustering->centres[c].y = sum.y / count;
    }
  }
  return NULL;
}

// Divides 0 .. count-1 among so many threads and waits for them; has one of them changed a cluster?
static int in_parallel(struct Clustering *clustering, int count, int workers, void *(*function)(void *)) {
  pthread_t *threads = allocate_zeroed(workers, sizeof(pthread_t));
  struct Work *works = allocate_zeroed(workers, sizeof(struct Work));
  for (int i = 0; i < workers; i++) {
    works[i].clustering = clustering;
    works[i].from = count * i / workers;
    works[i].to = count * (i + 1) / workers;
    start_thread(&threads[i], function, &works[i]);
  }
  int changed = 0;
  for (int i = 0; i < workers; i++) {
    join_thread(threads[i]);
    if (works[i].modified) changed = 1;
  }
  free(works);
  free(threads);
  return changed;
}

int main(int argc, char **argv) {
  struct Clustering clustering;
  FILE *file = open_input(argc, argv);
  read_into(file, &clustering.size, sizeof clustering.size, 1);
  int points = clustering.size.points, clusters = clustering.size.clusters;
  clustering.points = allocate(sizeof(struct Point) * points);
  read_into(file, clustering.points, sizeof(struct Point), points);
  clustering.centres = allocate(sizeof(struct Point) * clusters);
  read_into(file, clustering.centres, sizeof(struct Point), clusters);
  fclose(file);
  clustering.cluster_of = allocate(sizeof(int) * points);
  for (int i = 0; i < points; i++) clustering.cluster_of[i] = -1;
  int changed = 1;
  for (int round = 0; round < kMostRounds && changed; round++) {
#ifdef SHARED_FLAG
    modified = 0;
#endif
    changed = in_parallel(&clustering, points, kPointWorkers, assign_points);
#ifdef SHARED_FLAG
    changed = modified;
#endif
    in_parallel(&clustering, clusters, kCentreWorkers, move_centres);
  }
  write_result(argc, argv, clustering.centres, sizeof(struct Point), clusters);
  free(clustering.cluster_of);
  free(clustering.centres);
  free(clustering.points);
  return 0;
}
