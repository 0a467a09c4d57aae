#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: figures, memory models, addresses, what it cannot do and how it says so, and
# what is left of a search that is interrupted.
#
#   reproduce_limits_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../../bench/programs")
cd "$work" || exit 1
newest() { find "$HEDDLE_DIR/runs" -maxdepth 1 -name "*-$1" | sort | tail -1; }
figure() { sed -n "s/.*\"$1\": \([^,]*\),*$/\1/p" out; }

# recorded WRAPPER... -- ARGUMENTS OF heddle record: until a run fails.
recorded() {
  local wrapper=()
  while [ "$1" != -- ]; do wrapper+=("$1"); shift; done
  shift
  for _ in $(seq 150); do
    echo 7 | timeout -k 1 60 "${wrapper[@]}" "$heddle" record "$@" > out 2> err
    recording=$(newest record)
    test -e "$recording/recording" && return 0
  done
  return 1
}

# ---- Figures: with two threads and more on a core, the order of the core takes read-write constraints away.
"$heddle" cc -g -O2 -pthread "$programs/bbuf-record.c" -o bbuf
recorded taskset -c 0 -- ./bbuf; check "bbuf on one core fails"
gives 0 reproduce "$recording" --constraints=clap --format=json; check "and is reproduced with clap"
clap=$(figure read_write_constraints); variables=$(figure variables)
gives 0 reproduce "$recording" --constraints=h3 --format=json; check "and with h3"
test "$(figure variables)" = "$variables" && test "$clap" -gt "$(figure read_write_constraints)"; check "h3 has fewer read-write constraints than clap"
answers '"whole_solved": true' && figure whole_seconds | grep -q '^[0-9.e-]*$'; check "the whole system was solved, in some time"
recorded -- --no-cores ./bbuf && gives 0 reproduce "$recording" --constraints=h3 && answers "not recorded: constraints are those of clap"
check "without cores, h3 is clap, and says so"

# ---- A machine with other memory.
recording=
for seed in $(seq 60); do
  "$heddle" record --simulate=pso --seed=$seed "$programs/example-paper.c" > out 2> err && continue
  recording=$(newest record) && break
done
test -e "$recording/recording"; check "the example of PSO fails when PSO is simulated"
gives 0 reproduce "$recording" --memory=pso --constraints=clap --format=json && answers '"confirmed": true' && answers '"follows_paths": true'
check "and is reproduced"
gives 0 replay; check "and replayed"
gives 4 reproduce "$recording" --memory=sc --time-limit=3; check "no order of SC explains it"
answers 'of [0-9]* recorded branches [0-9]* are known' && answers 'try --constraints=h3, --time-limit with more time, another --seed'; check "what was reached, and what to try"

# ---- racey: the paths say nothing.
recording=
for try in $(seq 150); do
  "$heddle" record "$programs/racey-record.c" -- 100 $((try % 16)) > out 2> err && continue
  recording=$(newest record) && break
done
gives 0 reproduce "$recording" --seconds=60 --format=json && answers '"confirmed": true'; check "racey, 100 rounds, its result modulo 16"

# ---- Where a pointer led: one of two places that are no addresses.
cat > wild.c <<'C'
#include <pthread.h>
#include <unistd.h>
static volatile int value;
static volatile unsigned long place = (unsigned long)0x2000000000;
static void* leads(void* unused) {
  usleep(2000);
  place = 0x3000000010;
  usleep(20000);
  place = (unsigned long)&value;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leads, 0);
  usleep(10000);
  *(volatile int*)place = 1;
  pthread_join(thread, 0);
  return 0;
}
C
recorded -- wild.c && says 'address 0x3000000010'; check "a crash at an address"
gives 0 reproduce "$recording" --format=json && answers 'address 0x3000000010' && answers '"follows_paths": true'; check "the same address again, and not the other one"

# ---- A debugger at the failure, with what was read.
cat > reads.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, step;
static void* add(void* unused) {
  int old = sum;
  usleep(1000);
  sum = old + step;
  return unused;
}
int main(void) {
  int number;
  if (scanf("%d", &number) != 1) return 0;
  step = number;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (sum != 2 * step) abort();
  return 0;
}
C
recorded -- reads.c && gives 0 reproduce "$recording" < /dev/null; check "a failure that needs its input"
if command -v gdb > /dev/null; then
  printf 'print step\nprint sum\n' | gives 0 replay --gdb && test "$(grep -c '= 7$' out)" -eq 2; check "in gdb, with the input of that time"
fi

# ---- Long runs.
cat > long.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, looks[2];
static int rounds = 40000;
static void* add(void* mine) {
  for (int i = 0; i < rounds; ++i) *(volatile int*)mine += i;
  int old = sum;
  usleep(5000);
  sum = old + 1;
  return 0;
}
int main(int count, char** arguments) {
  if (count > 1) rounds = atoi(arguments[1]);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, (void*)&looks[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (sum != 2) abort();
  return 0;
}
C
"$heddle" cc -g -O2 -pthread long.c -o long
recorded -- ./long && "$heddle" reproduce "$recording" --seconds=4 --format=json > out 2> err; test $? -eq 0 -o $? -eq 4; check "a long run"
answers '"whole_seconds": null' && answers '"variables": null'; check "its system is too large to be measured"

# ---- Ctrl-C: what there is is kept, and what is missing is said.
# interrupted COMMAND ARGUMENTS...: in the middle of its work, on a fast machine sooner
interrupted() {
  local delay child
  for delay in 2 1 0.5 0.25 0.12 0.06; do
    "$heddle" "$@" > out 2> err &
    child=$!
    sleep $delay
    kill -INT $child 2> /dev/null
    wait $child
    test $? -eq 130 && return 0
  done
  return 1
}
recorded -- ./long -- 30000; interrupted reproduce "$recording" --bug='sum == 77 at long.c:12' --seconds=100; check "reproduce, interrupted"
answers 'interrupted when [0-9]* of [0-9]* recorded branches were known' && grep -q '"interrupted"' "$(newest reproduce)/result.json"; check "says what is missing, and keeps its result"
script -qec "$heddle reproduce $recording --bug='sum == 77 at long.c:12' --seconds=4" typescript > /dev/null < /dev/null
grep -q 'heddle: [0-9]* runs, [0-9]* of [0-9]* recorded branches known, [0-9]* s left' typescript; check "on a terminal, a line says how far it is"
! grep -q 'branches known,' err; check "and elsewhere only now and then"
cat > many.c <<'C'
#include <pthread.h>
static volatile int data[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* unused) {
  for (int i = 0; i < 20000; ++i) {
    pthread_mutex_lock(&lock);
    data[i % 64] += i;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return 0;
}
C
interrupted predict many.c --find=races,atomicity --seed=1 --window=3000; check "predict, interrupted"
answers 'interrupted before everything was explored' && grep -q '"interrupted"' "$(newest predict)/result.json"; check "says so, and keeps its result"

# ---- Every kind that a result names can be explained.
cat "$HEDDLE_DIR"/runs/*/result.json | sed -n 's/^ *"kind": "\(.*\)",*$/\1/p' | sort -u > kinds
for kind in abort crash assertion $(cat kinds); do gives 0 explain "$kind"; check "explain $kind"; done
for kind in abort crash; do grep -qx $kind kinds; check "$kind was among them"; done
summary
