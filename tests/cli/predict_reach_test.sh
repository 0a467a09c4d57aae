#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle predict: how far it looks. Threads that wait for each other while others are anywhere, long loops, sides
# that are not taken, later windows, damaged traces; and that what is left out is said.
#
#   predict_reach_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1

# Two threads block each other; a third one has read what one of them writes later.
cat > circle.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#ifndef ROUNDS
#define ROUNDS 0
#endif
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, z = PTHREAD_MUTEX_INITIALIZER;
static int done, seen, count;
static void work(void) {
  for (int i = 0; i < ROUNDS; ++i) { pthread_mutex_lock(&z); ++count; pthread_mutex_unlock(&z); }
}
static void *there(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  work();
  pthread_mutex_lock(&z); done = 1; pthread_mutex_unlock(&z);
  return unused;
}
static void *back(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return unused;
}
static void *reader(void *unused) {
  pthread_mutex_lock(&z); seen = done; pthread_mutex_unlock(&z);
  return unused;
}
int main(void) {
  pthread_t one, two, three;
  pthread_create(&one, 0, there, 0);
  pthread_create(&two, 0, back, 0);
  pthread_create(&three, 0, reader, 0);
#ifdef LEAVES
  pthread_join(three, 0);
  exit(0);
#endif
  pthread_join(one, 0); pthread_join(two, 0); pthread_join(three, 0);
  return 0;
}
C
for model in mcm recipe; do
  gives 1 predict circle.c --find=deadlocks --model=$model --format=json && answers '"confirmed": true' && answers 'T0.0, T0.1"' && answers '"line": 13' && answers '"line": 21'
  check "a circle of two of four threads, by $model"
done
gives 1 predict circle.c --find=deadlocks && answers "waits for b, held by T0.1" && answers "waits for a, held by" && answers "holds a, taken at"
check "the witness shows who waits for whom"
gives 1 predict circle.c --find=deadlocks --cflags=-DLEAVES && answers "^found"; check "also if the first thread does not wait for them"
"$heddle" trace run circle.c --cflags=-DROUNDS=300 -o long.trace 2> /dev/null
gives 1 predict long.trace --find=deadlocks && answers "threads wait for each other"; check "far apart in a trace"
gives 1 predict circle.c --cflags=-DROUNDS=12000 --find=deadlocks --window=200000 --format=json && answers '"confirmed": true'; check "in a window as large as the trace"
gives 4 predict circle.c --cflags=-DROUNDS=30000 --find=deadlocks --format=json && answers '"code": "size"'; check "a trace that is too long: says so"
cat > late.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *there(void *unused) {
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return unused;
}
static void *back(void *unused) {
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t one, two;
  for (int i = 0; i < 60000; ++i) { pthread_mutex_lock(&a); ++count; pthread_mutex_unlock(&a); }
  pthread_create(&one, 0, there, 0);
  pthread_create(&two, 0, back, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  return 0;
}
C
gives 1 predict late.c --find=deadlocks --format=json && answers '"confirmed": true' && answers '"code": "size"'
check "a circle within a late window of a long trace"
printf 'T1|acq(l)|1\nT1|acq(m)|2\nT1|rel(m)|3\nT1|rel(l)|4\nT1|w(x)|5\nT2|acq(m)|6\nT2|acq(l)|7\nT2|rel(l)|8\nT2|rel(m)|9\nT3|r(x)|10\n' > circle.std
gives 1 predict circle.std --find=deadlocks && answers "threads wait for each other: T0, T0.0" && answers "it was not run"; check "deadlocks of STD traces"
printf 'T1|acq(g)|0\nT1|acq(l)|1\nT1|acq(m)|2\nT1|rel(m)|3\nT1|rel(l)|4\nT1|rel(g)|4\nT2|acq(g)|5\nT2|acq(m)|6\nT2|acq(l)|7\nT2|rel(l)|8\nT2|rel(m)|9\nT2|rel(g)|9\n' > gate.std
gives 0 predict gate.std --find=deadlocks; check "but not behind a gate"

# The race is in a late round of a loop: the question about it has many sections and reads.
cat > rounds.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x[99], y[99], result;
static void set(int i, int v) { pthread_mutex_lock(&l); y[i] = v; pthread_mutex_unlock(&l); }
static void *writer(void *unused) {
  for (int i = 0; i < ROUNDS; ++i) {
    set(i, i == ROUND ? 3 : 1);
    x[i] = 1;
    set(i, 5);
  }
  return unused;
}
static void *reader(void *unused) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&l); int seen = y[i]; pthread_mutex_unlock(&l);
#ifdef ASSERTS
    assert(seen != 3);
#else
    if (seen > 2) result = x[i];
#endif
  }
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  return 0;
}
C
for round in 4 7 15 20; do
  gives 1 predict rounds.c "--cflags=-DROUNDS=25 -DROUND=$round" --model=recipe --format=json && answers '"confirmed": true'; check "a race in round $round of 25"
done
gives 1 predict rounds.c "--cflags=-DROUNDS=20 -DROUND=15 -DASSERTS" --model=recipe --find=asserts --format=json && answers '"confirmed": true'
check "an assertion that fails in round 15 of 20"
gives 4 predict rounds.c "--cflags=-DROUNDS=90 -DROUND=89" --model=recipe --window=all --format=json && answers '"code": "pairs"'
check "pairs of places that come too often: says so"

# Other windows than the first one.
cat > phases.c <<'C'
#include <pthread.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y, count;
static void work(void) { for (int i = 0; i < 200; ++i) { pthread_mutex_lock(&l); ++count; pthread_mutex_unlock(&l); } }
static void set(int v) { pthread_mutex_lock(&l); y = v; pthread_mutex_unlock(&l); }
static void *writer(void *unused) { set(3); x = 1; set(5); return unused; }
static void *reader(void *unused) {
  pthread_mutex_lock(&l); int seen = y; pthread_mutex_unlock(&l);
  if (seen > 2) return x ? unused : 0;
  return unused;
}
int main(void) {
  pthread_t one, two;
  work();
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  return 0;
}
C
gives 1 predict phases.c --model=recipe --window=100 --format=json && answers '"confirmed": true' && answers '"windows": [6-9]'
check "other values in the last of many windows"
gives 4 predict phases.c --model=mcm --window=100 && answers "nothing predicted, but not everything was looked at" && answers "windows of 100 events"; check "which mcm does not know"
sed 's/set(3); x = 1; set(5);/x = 1; set(5);/;s/int seen = y; //;s/if (seen > 2) //' phases.c > hidden.c
gives 1 predict hidden.c --window=100 --format=json && answers '"confirmed": true' && answers '"windows": [6-9]' && answers "of the run that was seen orders them"
check "a race that happens-before misses, in the last of many windows"

# Sides that are not taken.
cat > side.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y, result;
static void set(int v) { pthread_mutex_lock(&l); y = v; pthread_mutex_unlock(&l); }
static void *writer(void *unused) { set(3); x = 1; set(5); return unused; }
static void *reader(void *unused) {
  pthread_mutex_lock(&l); int seen = y; pthread_mutex_unlock(&l);
  if (seen == 3) {
    BEFORE
    result = x;
  }
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  return 0;
}
C
# with CODE: side.c with this before the access.
with() { awk -v code="$1" '{ sub(/BEFORE/, code) } 1' side.c > side_with.c; }
with ""
gives 1 predict side_with.c --model=recipe --format=json && answers '"confirmed": true' && ! answers '"code": "sides"'; check "a side that is followed to its end"
with "for (int i = 0; i < seen; ++i) ++result;"
gives 4 predict side_with.c --model=recipe --format=json && answers "followed up to a loop"; check "a loop ends a side, and that is said"
with "free(malloc((size_t)seen));"
gives 4 predict side_with.c --model=recipe --format=json && answers "followed up to a call of malloc"; check "so does an allocation"
with "if (seen > 9) ++result; if (seen > 7) ++result; switch (seen) { case 1: ++result; break; case 2: result = 4; break; default: break; }"
gives 1 predict side_with.c --model=recipe --format=json && answers '"confirmed": true'; check "paths of a side that come together again"

# What is whole of a damaged trace is enough for what lies in it.
printf '#include <pthread.h>\nstatic int x;\nstatic unsigned a[997];\nstatic void *one(void *u) { x = 1; return u; }\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, one, 0);\n  x = 2;\n  pthread_join(t, 0);\n  for (unsigned i = 0; i < 200000; ++i) a[i * 7919 %% 997] = i * i * 2654435761u;\n  return 0;\n}\n' > early.c
"$heddle" trace run early.c -o whole.trace 2> /dev/null
head -c $(($(stat -c %s whole.trace) * 2 / 3)) whole.trace > part.trace
gives 3 predict part.trace && silent && says "salvage"; check "a part of a trace is refused"
gives 1 predict part.trace --salvage --format=json && answers '"line": 4' && answers '"line": 8' && answers '"code": "damage"'
check "unless what is whole of it is asked for: the race is found, and the damage is said"

# The run that confirms a finding is shown thread by thread.
gives 1 predict early.c; grep -q "^step  T0 main" out && grep "^step" out | grep -q "T0.0 one" && grep -Eq "^ +[0-9]+ .*x = 1" out && grep -Eq "^ +[0-9]+ .*x = 2" out
check "the witness, one column for each thread"

# Another assertion that fails in the same run is not the one that was predicted.
cat > two_asserts.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int y;
static void set(int v) { pthread_mutex_lock(&l); y = v; pthread_mutex_unlock(&l); }
static int get(void) { pthread_mutex_lock(&l); int seen = y; pthread_mutex_unlock(&l); return seen; }
static void *writer(void *unused) { set(3); set(5); return unused; }
static void *reader(void *unused) {
  int first = get();
  assert(first != 3);
  int second = get();
  assert(second != 3);
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0); pthread_join(two, 0);
  return 0;
}
C
gives 1 predict two_asserts.c --model=recipe --find=asserts --format=json && answers '"line": 10' && answers '"line": 12' && ! answers '"confirmed": false'
check "two assertions, each confirmed where it fails"
summary
