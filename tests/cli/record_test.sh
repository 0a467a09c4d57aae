#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle record: the path is the one the program took, the program does what it does without recording, and
# whatever ends it leaves a recording that can be read.
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1

newest() { ls -d "$HEDDLE_DIR"/runs/*-record | tail -1; }
kept() { test -f "$(newest)/recording"; }
shown() { "$heddle" record --show "$(newest)" > show; }
# path THREAD: its bits. notes THREAD KIND: how many.
path() { awk -v t="$1" '/^thread/ { on = $2 == t } on && /^  [01]+$/ { printf "%s", $1 }' show; }
notes() { awk -v t="$1" -v k="$2" '/^thread/ { on = $2 == t } on && $1 == k { ++n } END { print n + 0 }' show; }
branches() { awk -v t="$1" '/^thread/ && $2 == t { for (i = 1; i < NF; ++i) if ($i == "branches") print $(i + 1) }' show; }
result() { python3 -c "import json; r = json.load(open('$(newest)/result.json')); f = r['findings'][0] if r['findings'] else None
$1"; }

# ---- A path that is known: two bits a round, then the number of a switch's successor among four (the
# ---- default first), with a call through a table between them.
cat > known.ll << 'END'
target triple = "x86_64-pc-linux-gnu"
@data = constant [8 x i8] c"heddle-!"
@table = global [2 x ptr] [ptr @even, ptr @odd]
define i32 @even() { ret i32 0 }
define i32 @odd() { ret i32 1 }
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = lshr i64 %i, 3
  %place = getelementptr [8 x i8], ptr @data, i64 0, i64 %index
  %byte = load volatile i8, ptr %place
  %low = and i64 %i, 7
  %shift = trunc i64 %low to i8
  %down = lshr i8 %byte, %shift
  %bit = trunc i8 %down to i1
  br i1 %bit, label %one, label %zero
one:
  br label %latch
zero:
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %after
after:
  %slot = getelementptr [2 x ptr], ptr @table, i64 0, i64 1
  %function = load volatile ptr, ptr %slot
  %result = call i32 %function()
  switch i32 %result, label %other [ i32 0, label %other
                                     i32 1, label %first
                                     i32 2, label %second
                                     i32 3, label %first
                                     i32 4, label %third ]
other:
  ret i32 9
first:
  br label %second
second:
  ret i32 0
third:
  ret i32 3
}
END
expected=$(python3 -c "
d = b'heddle-!'
print(''.join(str(d[i >> 3] >> (i & 7) & 1) + '01'[i < 63] for i in range(64)) + '01')")
gives 0 record --keep known.ll && kept && shown && test "$(path T0)" = "$expected"; check "the path of a known program, bit by bit"
grep -q '  target @.* odd$' show && test "$(notes T0 target)" -eq 1; check "the function that an indirect call went to"

# ---- Branches without an access to memory between them stay in a register: what may be the last thing to happen
# ---- finds them in the recording. Fewer than fill a word; one way is shared with others, one has its own block, one leaves the loop.
cat > last.ll << 'END'
target triple = "x86_64-pc-linux-gnu"
@number = constant i64 1433
@zero = constant i32 0
declare void @abort()
declare i64 @llvm.ctpop.i64(i64)
define i32 @main() {
entry:
  %all = load volatile i64, ptr @number
  %nothing = load volatile i32, ptr @zero
  br label %loop
loop:
  %left = phi i64 [ %all, %entry ], [ %half, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %added, %latch ]
  %bit = trunc i64 %left to i1
  br i1 %bit, label %one, label %latch
one:
  %more = call i64 @llvm.ctpop.i64(i64 %left)
  %many = icmp ugt i64 %more, 100
  br i1 %many, label %end, label %latch
latch:
  %added = phi i64 [ %sum, %loop ], [ %more, %one ]
  %half = lshr i64 %left, 1
  %done = icmp eq i64 %half, 0
  br i1 %done, label %end, label %loop
end:
  %last = phi i64 [ %left, %latch ], [ %more, %one ]
  WAY
  ret i32 0
}
END
expected=$(python3 -c "
n, bits = 1433, ''
while n: bits += ('10' if n & 1 else '0') + str(int(n < 2)); n >>= 1
print(bits)")
# last CODE NAME INSTRUCTION
last() {
  sed "s/  WAY/  $3/" last.ll > "last_$2.ll"
  gives "$1" record --keep "last_$2.ll" && kept && shown && test "$(path T0)" = "$expected"
  check "every branch before the end is there: $2"
}
last 139 store 'store volatile i64 %last, ptr null'
last 139 load '%found = load volatile i64, ptr null'
last 136 division '%quotient = sdiv i32 7, %nothing\n  store volatile i32 %quotient, ptr null'
last 134 abort 'call void @abort()'
last 0 return '%unused = add i64 %last, 1'

# ---- The program's own life: output, input, exit code, threads, forks, signals, exceptions, longjmp.
cat > life.cpp << 'END'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static volatile int sink;
static jmp_buf place;
static std::string greeting = "constructed";
__attribute__((noinline)) void deep(int n) {
  if (n == 0) throw std::runtime_error("thrown");
  for (int i = 0; i < n; i++) if (i & 1) sink = sink + 1;
  deep(n - 1);
}
__attribute__((noinline)) void jump(int n) {
  for (int i = 0; i < n; i++) if (i % 7 == 3) sink = sink + 1;
  if (n < 20) longjmp(place, n + 1);
}
static void handler(int) { for (int i = 0; i < 200; i++) if (i % 5) sink = sink - 1; }
int main(int argc, char **argv) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 5; i++) raise(SIGUSR1);
  int caught = 0, number = 0;
  for (int i = 0; i < 20; i++) try { deep(i); } catch (std::exception &) { ++caught; }
  jump(setjmp(place));
  if (pid_t child = fork()) {
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
  } else {
    for (int i = 0; i < 100000; i++) if (i % 3) sink = sink + 1;
    std::thread([] { sink = sink + 1; }).join();
    _exit(7);
  }
  std::vector<std::thread> threads;
  for (int round = 0; round < 10; ++round, threads.clear()) {
    for (int i = 0; i < 100; ++i) threads.emplace_back([] { for (int n = 0; n < 100; ++n) if (n % 3) sink = sink + 1; });
    for (auto &thread : threads) thread.join();
  }
  char line[100], word[20];
  std::string rest;
  if (fgets(line, sizeof line, stdin)) printf("read %s", line);
  if (scanf("%d %19s", &number, word) == 2) printf("scanned %d %s\n", number, word);
  getline(std::cin, rest);
  getline(std::cin, rest);
  std::cout << rest << ' ' << greeting << ' ' << caught << ' ' << argc << argv[argc - 1] << getenv("ASKED") << std::endl;
  fprintf(stderr, "to standard error\n");
  return 3;
}
END
printf 'first line\n17 word\na longer last line that is not short\n' > input
"$clangxx" -O2 -std=c++20 -pthread life.cpp -o native && "$heddle" c++ -O2 -g -std=c++20 -pthread life.cpp -o life
ASKED=yes ./native one two < input > native.out 2> native.err; test $? -eq 3; check "the native program"
ASKED=yes gives 3 record life -- one two < input && cmp -s out native.out; check "recorded, it prints the same and ends with the same code"
grep -q '^to standard error$' err && says 'ended with code 3' && kept && shown; check "a wrong exit code keeps the recording"
test "$(grep -c '^thread T0\.[0-9]* ended' show)" -eq 1000 && grep -q '^thread T0.h0 ' show; check "a thousand threads and a handler"
# 200 rounds of the loop and its test, five times, however they were compiled: the same bits each time.
path T0.h0 > bits && python3 -c "b = open('bits').read(); n = len(b) // 5; assert n >= 100 and b == b[:n] * 5, len(b)"; check "the handler's own path"
python3 - << 'END'
import re
paths = {}
for line in open('show'):
    if line.startswith('thread'): name = line.split()[1]; paths[name] = ''
    elif re.fullmatch(r'  [01]+\n', line): paths[name] += line.strip()
own = {p for n, p in paths.items() if re.fullmatch(r'T0\.\d+', n)}
assert len(own) == 1 and len(own.pop()) >= 100, len(own)
END
check "threads that do the same have the same path"
grep -q '^remark 1 child processes were not recorded' show; check "children are counted and not recorded"
for way in --values "--keep --keep-last=64K" "--stamps --values --keep --keep-last=64K"; do
  ASKED=yes gives 3 record $way life -- one two < input && cmp -s out native.out && kept && shown && test "$(grep -c '^thread T0\.[0-9]* ended' show)" -eq 1000
  check "the same output, code, fork and thousand threads with $way"
done
for input in 'bytes @.* 12 bytes' 'bytes @.* 4 bytes' 'bytes @.* 5 bytes' 'bytes @.* 37 bytes'; do grep -q "$input" show || echo "$input" >&2; done | wc -l > missing
grep -q '^0$' missing && grep -q 'bytes @.* 12 bytes' show && test "$(notes T0 result)" -ge 5; check "what it read is there"

# ---- Failures.
cat > fails.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static void *crash(void *where) {
  for (int i = 0; i < 1000; i++) if (i % 3) sink++;
  *(volatile int *)where = 1; /* CRASH */
  return 0;
}
static void *other(void *unused) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&a); /* OTHER */
  return unused;
}
int main(int argc, char **argv) {
  pthread_t thread;
  if (!strcmp(argv[1], "crash")) pthread_create(&thread, 0, crash, (void *)0x40), pthread_join(thread, 0);
  if (!strcmp(argv[1], "assert")) assert(argc == 17); /* ASSERT */
  if (!strcmp(argv[1], "deadlock")) {
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&b);
  }
  unsigned x = 1;
  for (long i = 0, n = atol(argv[2]); i < n; i++) { x = x * 1103515245 + 12345; if (x >> 16 & 1) sink++; }
  puts("end");
  return 0;
}
END
"$heddle" cc -O2 -g -pthread fails.c -o fails
line() { grep -n "$1" fails.c | cut -d: -f1; }
gives 139 record fails -- crash 1 && says 'signal 11' && says "fails.c:$(line CRASH)" && says 'T0.0' && says 'address 0x40'; check "a crash: thread, place, address"
result "assert r['options'] == {} and f['kind'] == 'crash' and f['places'][0]['line'] == $(line CRASH) and r['verdict'] == 'done', r"; check "and so in result.json"
shown && test "$(branches T0.0)" -ge 1000; check "no branch before the crash is lost"
gives 134 record fails -- assert 1 && says "fails.c:$(line ASSERT)" && result "assert f['kind'] == 'abort', f"; check "a failed assertion"
gives 137 record --timeout=1 fails -- deadlock 1 && says "T0.0 last called at .*fails.c:$(line OTHER)" && result "assert f['kind'] == 'hang', f"; check "a deadlock: where threads are"
gives 0 record fails -- none 1000 && ! kept && answers end && test ! -s err; check "a run that does not fail keeps nothing and says nothing"

# ---- What must not break the program, nor the recording so far.
cat > leaves.c << 'END'
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile long sink;
static int left, running;
static void *leaves(void *unused) {
  for (int i = 0; i < 3000; i++) if (i % 3) sink++;
  __atomic_store_n(&left, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_exit, 0); /* the C library does not know */
  return unused;
}
static void *stays(void *unused) {
  for (long i = 0;; i++) {
    if (i % 3) sink++;
    if (i == 3000) __atomic_store_n(&running, 1, __ATOMIC_SEQ_CST);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leaves, 0);
  pthread_create(&thread, 0, stays, 0);
  while (!__atomic_load_n(&left, __ATOMIC_SEQ_CST) || !__atomic_load_n(&running, __ATOMIC_SEQ_CST)) usleep(1000);
  _exit(5);
}
END
"$heddle" cc -O1 -pthread leaves.c -o leaves
for way in "" --values; do
  gives 5 record $way leaves && kept && shown && test "$(branches T0.0)" -ge 3000 && test "$(branches T0.1)" -ge 3000
  check "threads that end without a word, or not at all, leave their paths $way"
done
# started: heddle records a program that does not end; `recorder` and `target` are their processes.
started() {
  local before
  before=$(newest)
  "$heddle" record fails -- none 100000000000 > /dev/null 2>&1 &
  recorder=$!
  until_true 30 eval 'test "$(newest)" != "$before" && target=$(pgrep -P $recorder)' && sleep 0.5
}
started && kill -9 "$target"
wait $recorder
test $? -eq 137 && kept && shown && test "$(branches T0)" -gt 1000; check "kill -9 of the program: what was recorded stays"
started && kill -9 $recorder && sleep 0.2 && kill -0 "$target"; check "kill -9 of heddle does not touch the program"
kill -9 "$target"
shown && grep -q '^remark the recorder was killed' show && test "$(branches T0)" -gt 1000; check "and what was recorded stays"
(ulimit -f 8700 && gives 0 record --keep fails -- none 4000000 && answers end) && shown && says 'recording stopped' && test "$(branches T0)" -gt 500000
check "no room for the file: the program goes on, the recording ends"
result "assert r['verdict'] == 'partial' and r['reasons'][0]['code'] == 'disk', r"; check "and result.json says so"
gives 0 record --keep --keep-last=256K fails -- none 4000000 && shown && path T0 > last && sed -n 's/^remark the beginning of T0 is not there: \([0-9]*\) branches$/\1/p' show > dropped && test "$(du -k "$(newest)/recording" | cut -f1)" -le 600
check "--keep-last bounds the file"
gives 0 record --keep fails -- none 4000000 && shown && path T0 > whole
python3 -c "w, l = open('whole').read(), open('last').read(); assert 500000 < len(l) < len(w) and w.endswith(l), (len(w), len(l))"; check "and what stays is the end of the path"
python3 -c "w, l = open('whole').read().strip(), open('last').read().strip(); assert len(w) - len(l) == int(open('dropped').read()), (len(w), len(l))"; check "and how much is missing is said"
gives 125 record /bin/true; check "a program without bitcode cannot be recorded"
gives 125 record --show no-such-run; check "no such recording"
head -c 5000 "$(newest)/recording" > cut && gives 125 record --show cut && says 'damaged'; check "half a recording"

# ---- Values that were read: 200 loads of a shared number by each thread, and what atomic updates found.
cat > values.c << 'END'
#include <pthread.h>
#include <stdio.h>
static volatile int shared;
static int *volatile pointer;
static _Atomic long sum;
static void *work(void *unused) {
  for (int i = 0; i < 100; i++) shared = shared + 1;
  for (int i = 0; i < 100; i++) sum += pointer == 0;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  printf("%d %ld\n", shared, sum);
  return 7;
}
END
"$heddle" cc -O1 -pthread values.c -o values
gives 7 record --values ./values && test "$(cat out)" = "100 100"; check "values: the program does what it does"
shown && test "$(grep -c 'values of 200 reads' show)" -eq 1; check "values: a check of each that a thread read, not of pointers"
gives 7 record ./values && shown && ! grep -q 'values of' show; check "values: none without being asked"
gives 2 record --values --pt ./values; check "values: not with --pt"

summary
