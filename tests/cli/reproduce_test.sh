#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: failures of free runs, recorded, explained and run again.
#
#   reproduce_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../../bench/programs")
cd "$work" || exit 1

# record PROGRAM...: until a run fails; the recording's place in `recording`. Its input is what stands in `input`.
: > input
record() {
  recording=
  for _ in $(seq 150); do
    timeout -k 1 60 "$heddle" record "$@" < input > out 2> err
    local last
    last=$(find "$HEDDLE_DIR/runs" -maxdepth 1 -name '*-record' | sort | tail -1)
    test -e "$last/recording" || continue
    recording=$last
    return 0
  done
  return 1
}

# reproduced PROGRAM OPTIONS...: recorded, and every thread goes its recorded way again.
reproduced() {
  record "$1" || return 1
  shift
  gives 0 reproduce "$recording" --seconds=60 --format=json "$@" < /dev/null || return 1
  answers '"verdict": "reproduced"' && answers '"follows_paths": true'
}

for program in lost_update-record bbuf-record; do
  "$heddle" cc -g -O2 -pthread "$programs/$program.c" -o $program
  for constraints in clap h3; do
    reproduced ./$program --constraints=$constraints --trials=0; check "$program, $constraints: fails when it is recorded, and is reproduced"
  done
  gives 0 replay; check "$program: the schedule leads there again"
done

gives 0 reproduce "$recording" --trials=50 --format=json; check "with random trials"
answers '"verdict": "reproduced"'; check "the verdict in result.json"
answers '"confirmed": true'; check "the finding is confirmed"

# Two threads lose what one of them adds. How much they add is read, how often they look is chance: both must be as recorded.
cat > input.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
static volatile int sum, looks, step;
static void* add(void* unused) {
  int old = sum;
  usleep(1000);
  sum = old + step;
  return unused;
}
int main(void) {
  char digit = '0';
  unsigned char chance = 0;
  read(0, &digit, 1);
  getrandom(&chance, 1, 0);
  for (int i = 0; i < chance; ++i) ++looks;
  step = digit - '0';
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (sum != 2 * step) abort();
  return 0;
}
END
"$heddle" cc -g -O2 -pthread input.c -o input_program
echo 7 > input
reproduced ./input_program; check "a failure that needs what was read"
gives 0 replay < /dev/null; check "the schedule leads there again, with the same input"
: > input

# The same with an environment that is another one, and another process.
sed 's/read(0, &digit, 1)/digit = *getenv("STEP")/; s/getrandom(&chance, 1, 0)/chance = (unsigned char)getpid()/' input.c > surroundings.c
"$heddle" cc -g -O2 -pthread surroundings.c -o surroundings
STEP=7 record ./surroundings && gives 0 reproduce "$recording" --format=json && answers '"confirmed": true' && answers '"follows_paths": true'
check "a failure that needs the environment and the number of the process, which are others now"

# A wrong exit code, and threads that stand still.
sed 's/abort()/return 3/; s/read(0, &digit, 1)/digit = 55/' input.c > wrong.c
"$heddle" cc -g -O2 -pthread wrong.c -o wrong
reproduced ./wrong; check "a wrong exit code"
cat > cycle.c <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static void* other(void* unused) {
  pthread_mutex_lock(&two);
  usleep(20000);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&two);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&one);
  usleep(20000);
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  pthread_join(thread, 0);
  return 0;
}
END
"$heddle" cc -g -O2 -pthread cycle.c -o cycle
record --timeout 2 ./cycle; check "threads that stand still are recorded"
gives 0 reproduce "$recording" --format=json; check "and stand still again"
answers '"kind": "deadlock"'; check "as a deadlock"

# By the clock, one thread was long done when the other began: with stamps no order but that one is left.
cat > clock.c << 'END'
#include <pthread.h>
#include <unistd.h>
static volatile int x, sink;
static void *early(void *unused) {
  x = 1;
  for (int i = 0; i < 100; i++) if (sink == 7) return unused;
  return 0;
}
static void *late(void *unused) {
  usleep(20000);
  for (int i = 0; i < 100; i++) if (sink == 7) return unused;
  sink = x; /* HERE */
  return 0;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, early, 0);
  pthread_create(&threads[1], 0, late, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
END
"$heddle" cc -g -O1 -pthread clock.c -o clock
place=clock.c:$(grep -n HERE clock.c | cut -d: -f1)
record --keep ./clock
gives 0 reproduce "$recording" --bug="x == 0 at $place"; check "without stamps, any order of the threads explains the paths"
record --keep --stamps ./clock
gives 4 reproduce "$recording" --bug="x == 0 at $place" --seconds=5; check "with stamps, not what the clock speaks against"
gives 0 reproduce "$recording" --bug="x == 1 at $place"; check "and what it does not"

# racey's paths say nothing, and nearly every order gives another result: what its reads found leads to the right one.
line=$(grep -n SIGNATURE "$programs/racey-record.c" | cut -d: -f1)
for model in sc tso; do
  record --simulate=$model --seed=5 --keep --values "$programs/racey-record.c" -- 40 -2
  gives 0 reproduce "$recording" --memory=$model --bug="signature == $(cat out) at racey-record.c:$line" --trials=0 --seconds=60
  check "all of racey's result, out of values that were read ($model)"
done
record --keep --stamps --values "$programs/racey-record.c" -- 100 -2
gives 0 reproduce "$recording" --memory=tso --bug="signature == $(cat out) at racey-record.c:$line" --trials=0 --seconds=60
check "and of a run at its own pace"

# The program does not notice: its user does.
sed 's/abort()/return 0/; s/read(0, &digit, 1)/digit = 55/' input.c > unnoticed.c
place=unnoticed.c:$(grep -n 'sum != 2' unnoticed.c | cut -d: -f1)
"$heddle" cc -g -O2 -pthread unnoticed.c -o unnoticed
"$heddle" record --keep ./unnoticed > out 2> err
recording=$(find "$HEDDLE_DIR/runs" -maxdepth 1 -name '*-record' | sort | tail -1)
gives 0 reproduce "$recording" --bug="sum == 7 at $place"; check "a condition as the failure"
answers "sum == 7 at $place"; check "which the report names"
gives 4 reproduce "$recording" --bug="sum == 8 at $place" --seconds=3; check "one that no order fulfils"
gives 3 reproduce "$recording" --bug="sum = 7"; check "and one that is none"
gives 3 reproduce "$recording"; check "without it, a run that did not fail is no failure"

gives 2 reproduce "$recording" --memory=pso --constraints=h3; check "the order of cores means nothing under pso"
says "h3 does not hold under pso"; check "and this is said"
gives 3 reproduce nowhere; check "no such recording"
head -c 1000 "$recording/recording" > damaged
gives 3 reproduce damaged; check "a recording that was cut"

summary
