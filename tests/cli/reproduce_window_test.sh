#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: recordings that kept only the end (heddle record --keep-last), and long runs of which only the last
# part is explained.
#
#   reproduce_window_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1
newest() { find "$HEDDLE_DIR/runs" -maxdepth 1 -name "*-$1" | sort | tail -1; }

# recorded ARGUMENTS OF heddle record: until a run fails.
recorded() {
  for _ in $(seq 50); do
    timeout -k 1 60 "$heddle" record "$@" > out 2> err < /dev/null
    recording=$(newest record)
    test -e "$recording/recording" && return 0
  done
  return 1
}
# T0.0 goes through six values after its work; T0.1 sees these: the order of a dozen operations.
cat > end.h <<'C'
static volatile int x, seen;
static void write_all(void) {
  for (int i = 1; i <= 6; ++i) {
    x = i;
    usleep(20000);
  }
}
static void look(void) {
  static const int pauses[] = {10, 5, 35, 5, 2, 53}, values[] = {1, 1, 3, 3, 3, 6};
  int found = 0;
  for (int i = 0; i < 6; ++i) {
    usleep(1000 * pauses[i]);
    if (x == values[i]) found++;
  }
  seen = found;
}
static void *first(void *argument) {
  work(argument);
  write_all();
  return 0;
}
static void *second(void *argument) {
  work(argument);
  look();
  return 0;
}
int main(int count, char **arguments) {
  if (count > 1) rounds = atoi(arguments[1]);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, (void *)&own[0]);
  pthread_create(&threads[1], 0, second, (void *)&own[1]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (seen == 6) abort();
  return 0;
}
C

# ---- A beginning that takes the same branches in every schedule.
cat > steady.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int done, own[2];
static int rounds = 1000;
static void work(volatile int *mine) {
  for (int i = 0; i < rounds; ++i) {
    if (i % 3) *mine += i;
    if (i % 64) continue;
    pthread_mutex_lock(&lock);
    done = done + 1;
    pthread_mutex_unlock(&lock);
  }
}
#include "end.h"
C
"$heddle" cc -g -O2 -pthread steady.c -o steady
recorded --keep-last=2K ./steady -- 20000 && says 'the beginning of T0.1 is not there: [0-9]* branches'; check "the beginning was dropped, and how much that was is said"
gives 0 reproduce "$recording" --seconds=60 --format=json && answers '"confirmed": true' && answers '"follows_paths": true'; check "it is reproduced, on all that is there of the ways"
answers 'the first [0-9]* operations are as one controlled run performed them'; check "only the end was explained"
gives 0 replay; check "and can be replayed"
gives 0 reproduce "$recording" --constraints=h3 --seconds=60; check "with the order of the cores, too"
recorded ./steady -- 5000 && gives 0 reproduce "$recording" --seconds=60 --format=json && answers '"confirmed": true' && answers '"follows_paths": true'
check "a long recording that has all"
answers 'the first [0-9]* operations are as one controlled run performed them'; check "only its end was explained"

# ---- One in which they depend on the schedule: who finds the lock taken tries again.
cat > retries.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int taken;
static volatile int orders, handled, own[2];
static int rounds = 1000;
static void work(volatile int *mine) {
  for (int i = 0; i < rounds; ++i) {
    while (atomic_exchange(&taken, 1)) sched_yield();
    orders = orders + 1;
    if (orders % 5 == 0) handled = handled + 1;
    if (i % 16 == 0) sched_yield();
    atomic_store(&taken, 0);
  }
  for (int i = 0; i < 20 * rounds; ++i)
    if (i % 3) *mine += i;
}
#include "end.h"
C
"$heddle" cc -g -O2 -pthread retries.c -o retries
recorded --keep-last=2K ./retries -- 1000 && gives 0 reproduce "$recording" --seconds=100 --format=json && answers '"confirmed": true'
check "a beginning whose branches depend on the schedule"

# ---- Inputs that were dropped.
cat > reads.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, step;
static void *add(void *unused) {
  int old = sum;
  usleep(5000);
  sum = old + step;
  return unused;
}
int main(void) {
  char line[4000];
  int number = 0;
  while (fgets(line, sizeof line, stdin)) number = atoi(line);
  step = number;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (step == 7 && sum != 14) abort();
  return 0;
}
C
"$heddle" cc -g -O2 -pthread reads.c -o reads
{ for i in $(seq 100); do printf '%03000d\n' "$i"; done; echo 7; } > input
for _ in $(seq 50); do
  "$heddle" record --keep-last=2K ./reads > out 2> err < input
  recording=$(newest record)
  test -e "$recording/recording" && break
done
says 'the first notes of T0 are not there'; check "what was read first was dropped"
gives 4 reproduce "$recording" --seconds=20 --format=json < /dev/null && answers '"inputs-dropped"' && answers 'give the program the same files and input, or record again with a larger --keep-last'
check "without it there is no failure, and the answer says what is missing"
gives 0 reproduce "$recording" --seconds=20 < input; check "who gives the input again gets it"
summary
