#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle record --pt and --simulate: recordings that the program does not write itself. No machine at
# hand has Intel PT, so perf's place is taken by stepping_perf (tests/pt).
. "$(dirname "$0")/helpers.sh"
perf=$(dirname "$heddle")/stepping_perf
cd "$work" || exit 1

newest() { ls -d "$HEDDLE_DIR"/runs/*-record | tail -1; }
shown() { "$heddle" record --show "$(newest)" > show; }
# Names, branches and bits of all threads.
paths() { awk '/^thread/ { print $2, $0 ~ / ended / } /^  [01]+$/ { print $1 }' show; }

cat > ways.c << 'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
static volatile int total;
static int (*volatile twice)(int);
static int doubled(int x) { return 2 * x; }
static int deep(int n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
static void *work(void *given) {
  long n = (long)given;
  for (long i = 0; i < 12; ++i) {
    if (i * n % 3 == 0) total = total + twice((int)i);
    switch ((i + n) % 5) { case 0: total = 1; break; case 1: total = 2; break; case 3: total = deep(4); }
  }
  return 0;
}
static void handler(int unused) { (void)unused; if (total) total = 0; }
int main(int argc, char **argv) {
  (void)argv;
  twice = doubled;
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (argc > 1) signal(SIGUSR1, handler), raise(SIGUSR1);
  puts("done");
  return 0;
}
END
"$heddle" cc -g -O2 -pthread ways.c -o ways

if test -e /sys/bus/event_source/devices/intel_pt; then
  gives 0 doctor && answers 'Intel PT (record --pt) .*usable: .*perf'; check "doctor: there is Intel PT"
else
  gives 125 record --pt ways && says 'no Intel PT' && says 'record without --pt'; check "without Intel PT --pt is refused"
  gives 0 doctor && answers 'Intel PT (record --pt) .*not usable: this machine has no Intel PT'; check "and doctor says so"
fi

export HEDDLE_PERF=$perf
gives 0 doctor && answers "Intel PT (record --pt) .*usable: $perf"; check "another perf may take its place"
gives 0 record --keep ways && shown && paths > written
for seed in 1 2; do
  STEPPING_SEED=$seed gives 0 record --pt --keep ways && answers '^done$' && shown && paths > traced
  cmp -s written traced && test "$(wc -c < written)" -gt 60; check "the processor's trace has the paths that the program writes, seed $seed"
  grep -q '^  core @' show && ! grep -q '^remark' show; check "and the cores"
done
STEPPING_MISHAPS=400,0,0 gives 0 record --pt --keep ways && answers '^done$' && shown && grep -q '^remark the end of T0.* is not there' show; check "overflows cut paths"
test ! -e "$(newest)/recording.perf"; check "perf's file is not kept"
gives 0 record --pt --keep ways -- handles && shown && grep -q '^remark the end of T0 is not there' show; check "nothing is said of threads with handlers"

# until_failed OPTION... PROGRAM: with one seed after the other.
until_failed() {
  local seed
  for seed in $(seq 100); do
    STEPPING_SEED=$seed timeout -k 1 120 "$heddle" record "${@//SEED/$seed}" > out 2> err && continue
    test -e "$(newest)/recording"
    return
  done
  return 1
}
cat > lost.c << 'END'
#include <assert.h>
#include <pthread.h>
static volatile int counter, last;
static pthread_barrier_t start;
static void *add(void *unused) {
  pthread_barrier_wait(&start);
  for (int i = 0; i < 5; ++i) {
    int seen = counter;
    last = i;
    counter = seen + 1;
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&start, 0, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(counter == 10);
  return 0;
}
END
cat > stuck.c << 'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) { pthread_mutex_lock(&lock); return unused; }
int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
END
gives 137 record --pt --timeout=3 stuck.c && shown && grep -q '^thread T0 ' show && test ! -e "$(newest)/recording.perf"; check "a program that hangs"
until_failed --pt lost.c && says 'lost.c:19 in main'; check "a failure under the processor's trace"
for constraints in clap h3; do
  gives 0 reproduce "$(newest)" --constraints=$constraints && answers '^reproduced'; check "is reproduced with $constraints"
done
unset HEDDLE_PERF

cat > passing.c << 'END'
#include <assert.h>
#include <pthread.h>
static volatile int data, ready;
static void *producer(void *unused) { data = 1; ready = 1; return unused; }
static void *consumer(void *unused) { if (ready) assert(data == 1); return unused; }
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, producer, 0);
  pthread_create(&threads[1], 0, consumer, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
END
until_failed --simulate=pso --seed=SEED passing.c && says 'passing.c:5 in consumer'; check "a failure that only PSO has"
gives 0 reproduce "$(newest)" --memory=pso --constraints=clap && answers '^reproduced'; check "is reproduced under PSO"
gives 4 reproduce "$(newest)" --memory=tso --constraints=clap --seconds=20; check "and not under TSO, which does not have it"
gives 0 record --simulate=sc --seed=2 --keep ways && answers '^done$' && shown && paths > simulated && cmp -s written simulated; check "a simulated run has the same paths"
gives 2 record --simulate=sc --timeout=1 ways; check "no time limit for a simulated run"

summary
