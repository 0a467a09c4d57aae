#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Limits hold, whatever a program does: each command ends soon after --time-limit, within --memory-limit, with a verdict,
# the gap and a run directory that can be read; also after SIGTERM.
#
#   limits_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1

cat > endless.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static atomic_int x;
static void *work(void *unused) {
#if defined(GROWS)
  for (;;) {
    char *more = malloc(1 << 20);
    if (more) memset(more, 1, 1 << 20);
  }
#elif defined(SILENT)
  for (volatile int y = 0;; ++y) {}
#elif defined(SLEEPS)
  for (;;) usleep(1000);
#elif defined(LONG)
  for (int i = 0; i < 500000; ++i) ++x;
#elif defined(HANGS)
  for (;;) asm volatile("");
#else
  for (;;) ++x;
#endif
  return unused;
}
int main(void) {
  pthread_t thread;
#if defined(THREADS)
  for (;;) pthread_create(&thread, 0, work, 0);
#endif
  pthread_create(&thread, 0, work, 0);
  work(0);
  return 0;
}
C

# limited FORM COMMAND ARGUMENTS...: ends in time and memory, with a verdict and a result.
limited() {
  local form=$1 begin=$SECONDS
  shift
  /usr/bin/env time -f '%M' -o size timeout -k 1 60 "$heddle" "$@" --time-limit=2 --memory-limit=700M --format=json \
    endless.c --cflags="-D$form" > out 2> err
  code=$?
  local took=$((SECONDS - begin))
  test $code -eq 4 || { echo "  $form $*: exit $code: $(head -c 200 err)" >&2; return 1; }
  test $took -le 8 || { echo "  $form $*: $took s" >&2; return 1; }
  test "$(tail -1 size)" -le 860000 || { echo "  $form $*: $(tail -1 size) KB" >&2; return 1; }
  python3 -c 'import json; r = json.load(open("out")); assert r["reasons"], r' || return 1
  test -e "$(find "$HEDDLE_DIR/runs" -maxdepth 1 -mindepth 1 | sort | tail -1)/result.json"
}
for form in SPINS GROWS THREADS SILENT SLEEPS LONG HANGS; do
  for reduction in learn mcr dpor none; do
    limited $form check --reduce=$reduction; check "check --reduce=$reduction, $form"
  done
  limited $form predict; check "predict, $form"
done

cat > many.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *work(void *number) {
  for (int i = 0; i < 6; ++i) x = 3 * x + y, y = 5 * y + (int)(long)number;
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
#ifdef ASSERTS
  assert(x == 12345);
#endif
  return 0;
}
C
gives 4 check many.c --time-limit=1 && answers "^undecided: the time limit was reached" && answers "what helps: raise --time-limit"
check "the gap, and what helps"
for reduction in learn mcr dpor; do
  for delay in 0.05 0.3 0.7 1.1; do
    "$heddle" check many.c --reduce=$reduction --format=json > out 2> err &
    sleep $delay
    kill -TERM $!
    wait $!
    test $? -eq 130 && python3 -c 'import json; r = json.load(open("out")); assert r["verdict"] == "undecided" and r["reasons"], r'
    check "SIGTERM after $delay s, $reduction"
  done
done

gives 1 check many.c --cflags=-DASSERTS --keep-going --time-limit=1 && answers "FAILS: assertion" && answers "the time limit was reached"
check "what was found before the limit is told"
summary
