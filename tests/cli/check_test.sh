#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle check as its user sees it: what it prints, what it keeps, what it exits
# with; and heddle replay of what it found. The whole texts of two examples are in
# tests/cli/golden.
. "$(dirname "$0")/helpers.sh"
golden=$(realpath "$(dirname "$0")/golden")
examples=$(realpath "$(dirname "$0")/../../examples")
cd "$work" || exit 1
export HEDDLE_DIR=runs COLUMNS=100
unset NO_COLOR
cp "$examples"/01_lost_update/lost_update.c "$examples"/02_store_buffering/store_buffering.c .

# Figures are not compared.
same_text() { sed '/ executions\? (/d; / of threads learned, /d' out | diff "$golden/$1" - >&2; }
# The lines with steps.
no_wider_than() { test "$(awk '/^ *[0-9]+[> ] /{ if (length($0) > most) most = length($0) } END { print most + 0 }' out)" -le "$1"; }

# ---- What is printed.
gives 1 check lost_update.c && same_text lost_update.txt; check "lost update"
gives 1 check --memory=tso store_buffering.c && same_text store_buffering_tso.txt; check "store buffering under TSO"
gives 0 check store_buffering.c && answers '^holds: no execution fails under sc$' && answers '\--heap=fresh' && answers 'spurious'
check "holds says what it does not cover"
gives 0 check --heap=reuse store_buffering.c && ! answers '\--heap=fresh'; check "holds with reuse of addresses"
COLUMNS=64 gives 1 check lost_update.c && no_wider_than 64 && answers 'reads counter: 0'; check "narrow"
! grep -q "$(printf '\033')" out; check "no colour into a file"

# on_terminal ARGUMENTS...: the answer of heddle on a terminal.
on_terminal() { python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$heddle" "$@" > out 2> err < /dev/null; }
export TERM=xterm
on_terminal check lost_update.c; test $? -eq 1 && grep -q "$(printf '\033')\[1;31mFAILS" out; check "colour on a terminal"
NO_COLOR=1 on_terminal check lost_update.c; ! grep -q "$(printf '\033')" out; check "NO_COLOR"

# ---- What is kept.
rm -rf runs
gives 1 check lost_update.c
run=runs/runs/001-check
test -s $run/finding-1.schedule && valid $run/finding-1.trace && gives 0 trace dump $run/finding-1.trace && answers '^T0 [0-9]* fail '
check "schedule and trace"
gives 1 check lost_update.c --format=json && diff -q out runs/runs/002-check/result.json > /dev/null; check "json is result.json"
python3 - "$run/result.json" <<'PYTHON'
import json, sys
finding = json.load(open(sys.argv[1]))["findings"][0]
assert finding["confirmed"] and finding["kind"] == "assertion", finding
assert finding["schedule"] == "finding-1.schedule" and finding["trace"] == "finding-1.trace", finding
assert finding["context_switches"] == 4, finding
PYTHON
check "the finding in result.json"

# ---- Shortening.
switches() { python3 -c 'import json, sys; print(json.load(open("out"))["findings"][0]["context_switches"])'; }
for program in lost_update.c store_buffering.c; do
  gives 1 check $program --memory=tso --format=json --no-shorten; long=$(switches)
  gives 1 check $program --memory=tso --format=json; short=$(switches)
  test "$short" -eq 4 && test "$long" -gt 4; check "$program: from $long switches to $short"
done

# ---- Replay.
rm -rf runs
gives 1 check lost_update.c
gives 1 check --memory=tso store_buffering.c --cflags=-DNOTHING -- some arguments
gives 0 replay && says 'inside != 3' && silent; check "the latest finding"
gives 0 replay 1 && says 'inside != 3'; check "a finding of the latest run"
gives 0 replay 001-check && says 'counter == 2'; check "a run by its name"
gives 0 replay 1:1 && says 'counter == 2'; check "a run and a finding by number"
gives 0 replay runs/runs/001-check/finding-1.schedule && says 'counter == 2'; check "a schedule of a run"
gives 0 replay runs/runs/001-check && says 'counter == 2'; check "a directory of a run"
cp runs/runs/001-check/finding-1.schedule alone.schedule
gives 0 replay alone.schedule lost_update.c && says 'counter == 2'; check "a schedule and its program"
gives 3 replay alone.schedule && says 'name the program'; check "a schedule without its program"
gives 3 replay 7 && says 'finding-7.schedule'; check "a finding that is not there"
gives 3 replay 009-check:1 && says 'no run called 009-check:1'; check "a run that is not there"
gives 3 replay alone.schedule store_buffering.c && says 'another version'; check "another program"
sed -i 's/^result .*/result "deadlock"/' alone.schedule
gives 4 replay alone.schedule lost_update.c && says 'did not happen again'; check "another result"
HEDDLE_DIR=nothing gives 3 replay && says 'run heddle check first'; check "no run at all"

# ---- Step by step.
gives 0 replay 1:1 --slow && answers '^step  T0 main' && answers 'starts$' && answers 'FAILS: assertion: counter == 2'
check "every step"
test "$(grep -c '^ *[0-9]' out)" -eq "$(grep -c '^op' runs/runs/001-check/finding-1.schedule)"; check "as many lines as steps"
cat > loud.c << 'PROGRAM'
#include <pthread.h>
#include <stdio.h>
static int x;
static void* work(void* argument) { x = 1; return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = x;
  printf("seen %d\n", seen);
  fflush(stdout);
  pthread_join(thread, NULL);
  return seen;
}
PROGRAM
gives 1 check loud.c && answers 'exit code 1'; check "an exit code"
gives 0 replay --slow && answers '^seen 1$' && answers 'exits with 1'; check "steps and what the program prints"

# ---- In the debugger.
cat > cross.c << 'PROGRAM'
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void* one(void* argument) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return argument;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, one, NULL);
  pthread_create(&second, NULL, two, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
PROGRAM
gives 1 check cross.c && answers 'waits for b, held by T0.1' && answers 'waits for a, held by T0.0'; check "a deadlock"
printf 'thread apply all bt 12\n' | gives 0 replay --gdb && answers 'SIGTRAP' && answers 'one (.*cross.c:6' && answers 'two (.*cross.c:13'
check "threads of a deadlock in gdb"
printf 'info frame\nprint counter\ninfo threads\n' | gives 0 replay 1:1 --gdb && answers 'main.*lost_update.c:23' && answers '= 1$'
check "a failure in gdb"
cat > null.c << 'PROGRAM'
#include <pthread.h>
#include <stddef.h>
static int value = 3;
static int* volatile pointer;
static void* work(void* argument) { pointer = &value; return argument; }
static int use(void) { return *pointer; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const int seen = use();
  pthread_join(thread, NULL);
  return seen - 3;
}
PROGRAM
gives 1 check null.c && answers '^null-dereference'; check "a null dereference"
printf 'up\n' | gives 0 replay --gdb && answers 'use ().*null.c:6' && answers 'main ().*null.c:10'; check "a null dereference in gdb"

# ---- Findings that do not count.
printf 'assertion lost_update.c\nrace lost_update.c\n' > quiet
gives 0 check lost_update.c --suppress=quiet && answers 'suppressed by quiet:1' && answers '^holds: no execution fails in a way that counts'
check "a suppressed finding does not count, and the check goes on"
says 'suppresses nothing: quiet:2' && ! says 'quiet:1'; check "lines that are for nothing are told"
gives 1 check lost_update.c --format=json && cp out known.json && gives 0 check lost_update.c --baseline=known.json --format=json
answers '"silenced": "known from known.json"' && answers '"verdict": "holds"'; check "what is known does not count"
printf 'assertion\n' > quiet
gives 3 check lost_update.c --suppress=quiet && silent && says 'quiet:1'; check "a damaged suppressions file"
# ---- Programs that do not do the same again: learned threads notice, and say what was expected and what happened.
differing() {  # NAME EXPRESSION
  cat > "$1.c" << END
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static unsigned long time_stamp(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}
static unsigned long canary(void) {  // chosen when a process begins
  unsigned long value;
  __asm__ volatile("mov %%fs:0x28, %0" : "=r"(value));
  return value >> 8;
}
static void *run(void *unused) {
  atomic_store(&x, (int)$2);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  const int seen = atomic_load(&x);
  pthread_join(thread, 0);
  return seen == 1 && canary() == time_stamp();
}
END
}
told="operation 1 of T0.0: expected: store, value [0-9]* at .*:15; happened: store, value [0-9]* at .*:15; likely cause: an instruction"
differing in_one_process "time_stamp()"
gives 4 check --reduce=learn in_one_process.c && answers "under the same circumstances: $told" && answers "^explored by mcr instead of learn"
check "a value that differs from run to run"
differing in_two_processes "canary()"
gives 4 check --reduce=learn in_two_processes.c && answers "$told" && answers "^explored by mcr instead of learn"
check "a value that differs from process to process"
gives 4 check --reduce=learn --format=json in_two_processes.c && answers '"code": "nondeterministic"'
check "the reason of a check that is not deterministic"

summary
