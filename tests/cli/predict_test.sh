#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle predict: what one run implies (tests/predict_programs), traces as input,
# and what is said of traces that cannot serve.
#
#   predict_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../predict_programs")
cd "$work" || exit 1

# pairs WHICH: the pairs of lines of findings with WHICH true, sorted, on one line.
pairs() {
  awk -v which="\"$1\": true" '
    /"kind":/ { lines = ""; }
    /^          "line":/ { gsub(/[^0-9]/, ""); lines = lines == "" ? $0 : ($0 < lines + 0 ? $0 "," lines : lines "," $0) }
    index($0, which) { print lines }' out | sort | tr '\n' ' ' | sed 's/ $//'
}

# triples: the lines of confirmed findings of atomicity, in the order of their places.
triples() {
  awk '
    /"kind":/ { lines = ""; }
    /^          "line":/ { gsub(/[^0-9]/, ""); lines = lines == "" ? $0 : lines "," $0 }
    /"confirmed": true/ { print lines }' out | sort | tr '\n' ' ' | sed 's/ $//'
}

for program in "$programs"/*.c; do
  name=$(basename "$program")
  if grep -q "^// heddle: atomicity" "$program"; then
    wanted=$(sed -n "s|^// heddle: atomicity *||p" "$program")
    test -z "$wanted"; code=$?
    gives $code predict "$program" --find=atomicity --format=json; check "$name, atomicity: exit code"
    test "$(triples)" = "$wanted" && ! answers '"confirmed": false'; check "$name, atomicity: $(triples) instead of $wanted"
  fi
  for model in recipe mcm hb; do
    grep -q "^// heddle: $model" "$program" || continue
    wanted=$(sed -n "s|^// heddle: $model *||p" "$program" | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//;s/^ //')
    test -z "$wanted"; code=$?
    gives $code predict "$program" --model=$model --format=json; check "$name, $model: exit code"
    found=$(pairs confirmed)
    test "$found" = "$wanted"; check "$name, $model: $found instead of $wanted"
    test $model = hb || ! answers '"confirmed": false'; check "$name: all are confirmed"
  done
done

gives 1 predict "$programs/after_the_first_race.c" --model=hb && answers "after the first race, unproved"
check "hb lists what follows from a race as unproved"
grep -A 2 "^not confirmed" out | grep -q ":14 in write_all"; check "namely x = 1"

"$heddle" cc -g -pthread "$programs/race_free.c" -o race_free; check "race_free is built"
for number in $(seq 0 40); do
  ./race_free "$number"
  test $? -eq 77 && break
  # With a gap where RECIPE does not follow branches that were not taken to their end.
  "$heddle" predict race_free --model=recipe --find=races,deadlocks,uaf,atomicity,asserts,null --format=json -- "$number" > out 2> err
  code=$?
  test $code -eq 0 || { test $code -eq 4 && answers '"code": "sides"'; } && ! answers '"kind"'
  check "race_free $number: nothing is found"
done
test "$number" -ge 20; check "at least 20 programs without races"

# Deadlocks and uses after free.
cat > deadlock.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static int gated;
static void *there(void *unused) {
  if (gated) pthread_mutex_lock(&gate);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  if (gated) pthread_mutex_unlock(&gate);
  return unused;
}
static void *back(void *unused) {
  if (gated) pthread_mutex_lock(&gate);
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  if (gated) pthread_mutex_unlock(&gate);
  return unused;
}
int main(int argc, char **argv) {
  pthread_t one, two;
  (void)argv;
  gated = argc > 1;
  pthread_create(&one, 0, there, 0);
  pthread_create(&two, 0, back, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
C
gives 0 predict deadlock.c; check "deadlocks are looked for on request"
gives 1 predict deadlock.c --find=deadlocks && answers "every thread is blocked"; check "a deadlock"
gives 0 predict deadlock.c --find=deadlocks -- gated; check "a gate lock prevents it"
gives 1 predict "$programs/../programs/cond_lost_wakeup_deadlocks.c" --find=deadlocks --format=json && answers '"confirmed": true'
check "a deadlock of the run itself"
gives 0 predict "$programs/../programs/mutex_recursive_depth.c" --find=deadlocks; check "a recursive mutex blocks nobody"
cat > early_free.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *use(void *unused) { *shared = 1; return unused; }
static void *release(void *unused) { free(shared); return unused; }
int main(void) {
  pthread_t one, two;
  shared = malloc(sizeof *shared);
  pthread_create(&one, 0, use, 0);
  pthread_create(&two, 0, release, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
C
gives 1 predict early_free.c --find=uaf --format=json && answers '"use-after-free"' && answers '"confirmed": true'
check "a use after free"

gives 1 predict "$programs/race_hidden_by_locks.c" && answers "of the run that was seen orders them"
check "says that happens-before misses it"
gives 1 predict "$programs/relaxed_flag.c" && ! answers "of the run that was seen orders them"
check "unless it does not"

gives 1 predict "$programs/check_then_act.c" --find=atomicity && answers "R-W-R" && answers "one call of sell"
check "an atomicity violation says what belongs together"
gives 1 predict "$programs/named_block.c" --find=atomicity --atomic='trans*' --format=json
check "calls of functions that the user names are blocks"
test "$(triples)" = "15,25,16"; check "namely transfer: $(triples)"

# An order that the trace allows and the program does not take: what orders the threads is not modelled.
cat > through_a_pipe.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <fcntl.h>
#include <unistd.h>
static int ends[2], x;
static void *sender(void *unused) { x = 1; return write(ends[1], "a", 1) == 1 ? unused : &x; }
static void *receiver(void *unused) { char c; if (read(ends[0], &c, 1) == 1) x = 2; return unused; }
int main(void) {
  pthread_t one, two;
  if (pipe2(ends, O_NONBLOCK)) return 1;
  pthread_create(&one, 0, sender, 0);
  pthread_create(&two, 0, receiver, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
C
gives 4 predict through_a_pipe.c --format=json && answers '"verdict": "nothing-predicted"'; check "what was not confirmed is not found"
answers '"confirmed": false' && ! answers '"confirmed": true' && answers "the program did otherwise"; check "but listed, with the reason"

# Why: stacks, locks, and what orders a race that happens-before misses.
cat > deep.c <<'C'
#include <pthread.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void put(int value) { x = value; }
static void *write_x(void *unused) {
  pthread_mutex_lock(&m);
  put(1);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&l); pthread_mutex_unlock(&l);
  return unused;
}
static void *read_x(void *unused) {
  pthread_mutex_lock(&l); pthread_mutex_unlock(&l);
  return x ? unused : 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, write_x, 0);
  pthread_create(&two, 0, read_x, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
C
gives 1 predict deep.c; check "a race behind a call"
answers "T0.0 x = 1 at .*deep.c:4 in put" && answers "called at .*deep.c:7 in write_x"; check "the stack of one"
answers "T0.1 reads x: . at .*deep.c:14 in read_x"; check "and of the other"
answers "holds m, taken at .*deep.c:6 in write_x" && answers "holds no lock"; check "the locks they hold"
answers "T0.0 unlocks l at .*deep.c:9, then T0.1 locks l at .*deep.c:13"; check "what orders them in the run that was seen"
gives 1 predict deep.c --format=json && answers '"ordered_by"' && answers '"stack"' && answers '"locks"'; check "the same as data"

# Findings that do not count.
cp out known.json
id() { sed -n 's/.*"id": "\(.*\)".*/\1/p' out; }
before=$(id)
{ printf '// a line\n\n'; sed 's/^static int x;/static int w;\nstatic int x;/;s/  put(1);/  w = 2;\n  put(1);/' deep.c; } > moved.c
mkdir moved && mv moved.c moved/deep.c
gives 1 predict moved/deep.c --format=json && test -n "$before" && test "$(id)" = "$before"; check "a finding keeps its id when lines move"
sed 's/put(1)/x = 1/' deep.c > moved/deep.c
gives 1 predict moved/deep.c --format=json && test "$(id)" != "$before"; check "but not in another function"
gives 0 predict deep.c --baseline=known.json --format=json && answers '"silenced": "known from known.json"' && answers '"confirmed": true'
check "what is known does not count"
gives 1 predict moved/deep.c --baseline=known.json; check "what is new does"
gives 3 predict deep.c --baseline=deep.c && silent && says "no result"; check "a baseline that is none"
gives 3 predict deep.c --baseline=nothing.json && silent; check "a baseline that is not there"
printf '# known\n\nrace deep.c write_*\nrace other.c\n' > quiet
gives 0 predict deep.c --suppress=quiet && answers "suppressed by quiet:3" && answers "nothing predicted"; check "a suppressed finding does not count"
says "suppresses nothing: quiet:4" && ! says "quiet:3"; check "lines that are for nothing are told"
printf 'deadlock deep.c\nrace deep.c write_??\nrace */deep.c read_x other\n' > quiet
gives 1 predict deep.c --suppress=quiet && says "quiet:1" && says "quiet:2" && says "quiet:3"; check "other kinds and functions count"
printf 'race deep.c\nrase deep.c\n' > quiet
gives 3 predict deep.c --suppress=quiet && silent && says "quiet:2: .*rase"; check "an unknown kind"
printf 'race\n' > quiet
gives 3 predict deep.c --suppress=quiet && says "quiet:1"; check "a line without a file"

# What other values lead to.
cat > failures.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static int x, y, *p;
static void set(int value) { pthread_mutex_lock(&l); y = value; p = &x; pthread_mutex_unlock(&l); }
static void *writer(void *unused) { set(3); set(5); return unused; }
static void *reader(void *unused) {
  pthread_mutex_lock(&l);
  int seen = 2 * y, *q = p;
  pthread_mutex_unlock(&l);
  assert(seen != 6);
  *q = 1;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
C
gives 0 predict failures.c --model=recipe; check "no race there"
gives 1 predict failures.c --model=recipe --find=asserts --format=json && answers '"kind": "assertion"' && answers '"confirmed": true' &&
  answers '"line": 11'; check "an assertion that other values break"
gives 1 predict failures.c --model=recipe --find=null --format=json && answers '"kind": "null-dereference"' && answers '"confirmed": true'
check "a pointer that is null when it is read earlier"
gives 2 predict failures.c --model=mcm --find=null; check "mcm knows no values"
gives 1 predict "$programs/branch_under_lock.c" --model=recipe --format=json && answers '"lost_threads": 0' && answers '"confirmed": true'
check "the walk follows every thread to its end"

# Traces.
program=$programs/race_hidden_by_locks.c
"$heddle" trace run "$program" -o run.trace 2> /dev/null
gives 1 predict run.trace --format=json; check "a trace is enough"
answers '"validated": true' && answers '"confirmed": false' && answers '"verdict": "found"'; check "validated, not confirmed"
schedule=$(ls heddle/runs | tail -1)
test -s "heddle/runs/$schedule/finding-1.schedule"; check "the order is kept"
"$heddle" trace dump --raw run.trace > run.text 2> /dev/null && gives 1 predict run.text; check "so is its text form"
"$heddle" trace export --to=std run.trace > run.std 2> /dev/null
gives 0 predict run.std; check "STD has no values: every write counts as another one"
printf 'T1|w(x)|1\nT1|acq(l)|2\nT1|rel(l)|3\nT2|acq(l)|4\nT2|rel(l)|5\nT2|r(x)|6\n' > race.std
gives 1 predict race.std --format=json && test "$(pairs validated)" = "1,6"; check "a race in an STD trace"
head -c 300 run.trace > cut.trace
gives 3 predict cut.trace && silent && says "salvage"; check "a trace that breaks off"
"$heddle" predict cut.trace --salvage > out 2> err; code=$?; test $code -eq 1 -o $code -eq 4 && answers "breaks off"; check "what is whole of it"
{ head -c 200 run.trace; printf 'xxxxxxxxxxxxxxxx'; tail -c +217 run.trace; } > damaged.trace
gives 3 predict damaged.trace && silent; check "a damaged trace"
head -c 100 /dev/urandom > foreign.trace
gives 3 predict foreign.trace && silent; check "a foreign file"
printf 'T1|r(x)\n' > bad.std
gives 3 predict bad.std && says "line 1"; check "a bad STD line"
"$heddle" trace run "$program" --free -o free.trace > /dev/null 2>&1
gives 3 predict free.trace && says "free"; check "a free trace has no order"
"$heddle" trace run "$program" --memory=tso -o tso.trace 2> /dev/null
gives 3 predict tso.trace && says "tso"; check "a trace under TSO"

gives 2 predict "$program" --model=guess && says "model"; check "an unknown model is refused"
gives 2 predict "$program" --window=0 && says "window"; check "a window of nothing is refused"
gives 1 predict "$program" --window=all; check "the whole trace as one window"
gives 1 predict "$program" --seed=1; check "a random schedule"
gives 1 predict "$program" --format=json && cp out first.json && gives 1 predict "$program" --format=json
diff <(grep -v seconds first.json) <(grep -v seconds out) > /dev/null; check "the same bytes again, but for times"
gives 1 predict "$program"; sed -n 's/.*replay: heddle //p' out | head -1 > command
read -r -a words < command; gives 0 "${words[@]}"; check "the printed command replays it"
summary
