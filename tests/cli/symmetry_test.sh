#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check --symmetry: what equal threads that change places save, that nothing is lost,
# and when they stay where they are.
#
#   symmetry_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
cp "$root"/bench/programs/*-p*.c "$root"/bench/programs/readers.c "$root"/bench/programs/p*.h "$work" && cd "$work" || exit 1

# The answer of a check, without what may differ: numbers of runs, and which of several equal threads it is about.
answer() {
  "$heddle" check --keep-going --outcomes --format=json "$@" 2> err | python3 -c '
import json, sys
result = json.load(sys.stdin)
assert ("symmetry" in result["options"]) == (sys.argv[1] == "yes"), result["options"]
findings = sorted({(f["kind"], f["message"], f["places"][0]["line"], f["confirmed"]) for f in result["findings"]})
print(result["verdict"], result["reasons"], result["outcomes"], findings)
with open("states", "w") as states: print(result["stats"]["product_states"], file=states)
with open("counted", "w") as counted: print(result["stats"]["states"], file=counted)
with open("notes", "w") as notes: print(*result.get("notes", []), sep="\n", file=notes)' "$(case "$*" in *--symmetry*|*--resume*) echo yes;; esac)"
}
# exchanges TIMES OPTIONS...: the same answer, from at most one TIMES-th of the states.
exchanges() {
  local times=$1 plain
  shift
  answer --no-merge "$@" > plain && plain=$(cat states) && answer --symmetry "$@" > exchanged &&
    cmp plain exchanged && ! grep -q "do not change places" notes && grep -qx None counted &&
    test $((times * $(cat states))) -le "$plain" || { cat plain exchanged notes err; echo "  $plain $(cat states)"; } >&2
}
# stays WHY OPTIONS...: the same answer, and why.
stays() {
  local why=$1
  shift
  answer "$@" > plain && answer --symmetry "$@" > exchanged && cmp plain exchanged && grep -q "threads do not change places: .*$why" notes || { cat notes err >&2; false; }
}
for memory in sc tso pso; do
  exchanges 40 --memory=$memory --cflags=-DN=5 airline-peer.c > /dev/null; check "five agents ($memory)"
  exchanges 20 --memory=$memory --cflags=-DPAIRS=3 account-paper.c; check "two kinds of threads, three of each, with a lock ($memory)"
  exchanges 4 --memory=$memory --cflags=-DN=3 rwmutex-peer.c; check "readers and writers ($memory)"
  exchanges 9 --memory=$memory --cflags=-DN=6 readers.c; check "six readers ($memory)"
done
exchanges 1 --cflags='-DN=4 -DCHECK' airline-peer.c; check "a finding"
exchanges 1 --jobs=2 --cflags=-DN=4 airline-peer.c; check "two workers"

# In parts: runs are made again, and what was run with threads in each other's places is among them.
answer --no-merge --cflags=-DN=4 counter-peer.c > plain
export HEDDLE_DIR=$PWD/parts
"$heddle" check --symmetry --keep-going --outcomes --executions=30 --cflags=-DN=4 counter-peer.c > /dev/null 2>&1
answer --resume=1 > exchanged; cmp plain exchanged; check "a check in two parts"

program() { { echo '#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>'; cat; } > program.c; }
program <<'C'
static int x, y;
static pthread_t first;
static void *run(void *unused) { if (pthread_equal(pthread_self(), first)) ++x; else ++y; return unused; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, run, 0);
  first = t[0];
  pthread_create(&t[1], 0, run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  heddle_observe("x", x), heddle_observe("y", y);
}
C
stays "do not do the same" program.c; check "threads that ask who they are"
program <<'C'
static atomic_int x;
static void *run(void *unused) { (void)unused; return (void *)(long)atomic_fetch_add(&x, 1); }
int main(void) {
  pthread_t t[2];
  void *r[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], &r[i]);
  heddle_observe("a", (long)r[0]), heddle_observe("b", (long)r[1]);
}
C
stays "" program.c; check "threads that return something else"
program <<'C'
static atomic_int x;
static void *run(void *unused) { x = x + 1; return unused; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, 0);
  pthread_join(t[0], 0);
  heddle_observe("a", x);
  pthread_join(t[1], 0);
  heddle_observe("b", x);
}
C
stays "" program.c; check "something happens between their ends"
program <<'C'
static _Atomic(int *) shared;
static void *run(void *unused) {
  int *mine = malloc(sizeof *mine), *other = shared;
  *mine = 1;
  shared = mine;
  if (other) *other = 2;
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  heddle_observe("b", *shared);
}
C
stays "something else than load, store and lock" program.c; check "threads that allocate"
program <<'C'
static atomic_int x;
static void *run(void *number) { x = x + (int)(long)number; return 0; }
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, (void *)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  heddle_observe("x", x);
}
C
stays "no two threads have the same function and argument" program.c; check "other arguments"
stays "data races are looked for" --races --cflags=-DN=3 airline-peer.c; check "with --races"
summary
