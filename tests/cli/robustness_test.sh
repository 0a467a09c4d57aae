#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs and surroundings that behave badly: much output, child processes,
# kills, full disks, endless loops, damaged caches. Heddle says what happened,
# leaves nothing running and loses no output.
#
#   robustness_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
mounted=
# Only processes whose executable lies in this test's own cache are ended.
targets() {
  local link
  for link in /proc/[0-9]*/exe; do
    case $(readlink "$link" 2> /dev/null) in "$work"/*) link=${link#/proc/} && echo "${link%/exe}" ;; esac
  done
}
finish() {
  for pid in $(targets); do kill -9 "$pid" 2> /dev/null; done
  test -z "$mounted" || umount "$mounted"
  rm -rf "$work"
}
trap finish EXIT

no_target() { test -z "$(targets)"; }
ended() { ! kill -0 "$1" 2> /dev/null; }
# Waits until works_long has made some events; its file is gone for the next time.
at_work() { until_true 60 test -e working; rm -f working; }

cd "$work" || exit 1
cat > floods.c <<'C'
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 400000; i++) printf("line %8d of a long answer, fifty bytes in all ..\n", i);
  return 0;
}
C
cat > forks.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  pid_t child = fork();
  if (child == 0) {
    printf("child\n");
    return 3;
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("parent saw %d\n", WEXITSTATUS(status));
  return 0;
}
C
cat > forks_and_execs.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  if (fork() == 0) {
    execl("/bin/echo", "echo", "echoed", (char *)0);
    _exit(9);
  }
  int status = 0;
  wait(&status);
  return status;
}
C
cat > execs.c <<'C'
#include <unistd.h>
int main(void) {
  execl("/bin/echo", "echo", "echoed", (char *)0);
  return 9;
}
C
cat > shells.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char line[80] = "";
  FILE *pipe = popen("echo from popen", "r");
  if (!pipe || !fgets(line, sizeof line, pipe)) return 1;
  pclose(pipe);
  fputs(line, stdout);
  fflush(stdout);
  return system("echo from system");
}
C
cat > works_long.c <<'C'
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int counter;
int main(void) {
  for (int i = 0; i < 100000000; i++) {
    counter++;
    if (i == 5) close(creat("working", 0600));
    usleep(2000);
    for (int pause = 0; pause < 200000; pause++) __asm__ volatile("");
  }
  return 0;
}
C
printf 'int main(void) { for (volatile int i = 0;; i = 1) {} }\n' > loops.c
cat > closes_all.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int shared;
static void *run(void *unused) { shared++; return unused; }
int main(void) {
  for (int i = 3; i < 4096; i++) close(i);
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  printf("closed %d\n", shared);
  return 0;
}
C
cat > handles_segv.c <<'C'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf back;
static void handler(int signal) { siglongjmp(back, signal); }
int main(void) {
  signal(SIGSEGV, handler);
  int *volatile nowhere = (int *)0x7ff000000000;
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  printf("went on\n");
  return 0;
}
C
cat > many_threads.c <<'C'
#include <pthread.h>
#include <stdio.h>
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[2000];
static void *run(void *unused) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  for (int i = 0; i < 2000; i++)
    if (pthread_create(&threads[i], 0, run, 0)) return 1;
  for (int i = 0; i < 2000; i++) pthread_join(threads[i], 0);
  printf("%d\n", counter);
  return 0;
}
C
cat > recurses.c <<'C'
#include <stdio.h>
static int depth(int n) {
  volatile char space[64];
  space[0] = (char)n;
  return n == 0 ? 0 : depth(n - 1) + 1 + 0 * space[0];
}
int main(void) {
  printf("%d\n", depth(40000));
  return 0;
}
C
cat > overflows.c <<'C'
static int depth(int n) {
  volatile char space[1024];
  space[0] = (char)n;
  return depth(n + 1) + space[0];
}
int main(void) { return depth(0); }
C
cat > reads.c <<'C'
#include <stdio.h>
int main(void) {
  char line[100];
  int lines = 0;
  while (fgets(line, sizeof line, stdin)) lines++, fputs(line, stdout);
  printf("%d lines\n", lines);
  return 0;
}
C
cat > never_rests.c <<'C'
#include <stdatomic.h>
static atomic_int counter;
int main(void) { for (;;) counter++; }
C
cat > waits_for_pipe.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *reader(void *byte) { read(ends[0], byte, 1); return 0; }
int main(void) {
  pthread_t thread;
  char byte;
  pipe(ends);
  pthread_create(&thread, 0, reader, &byte);
  return pthread_join(thread, 0);
}
C
printf 'int main(void) { return 0; }\n' > nothing.c

# Output arrives whole.
"$heddle" cc floods.c -o floods && ./floods > native.out
for isolation in in-process fork fresh; do
  gives 0 trace run floods.c --isolation=$isolation -o floods.trace && cmp -s out native.out; check "20 MB of output, $isolation"
done
"$heddle" trace run floods.c 2> err | sha256sum > sum && sha256sum < native.out | cmp -s - sum; check "20 MB through a pipe"
"$heddle" trace run floods.c 2> err | head -1 > first; grep -q 'line        0' first; check "reader that goes away"
until_true 30 no_target; check "reader that goes away leaves no process"

# Child processes.
for isolation in fork fresh in-process; do
  gives 0 trace run forks.c --isolation=$isolation -o forks.trace && printf 'child\nparent saw 3\n' | cmp -s - out
  check "fork, $isolation"
  valid forks.trace; check "trace of fork, $isolation"
  gives 0 trace run forks_and_execs.c --isolation=$isolation -o execs.trace && test "$(cat out)" = echoed
  check "fork and exec, $isolation"
  valid execs.trace; check "trace of fork and exec, $isolation"
  gives 0 trace run shells.c --isolation=$isolation -o shells.trace && printf 'from popen\nfrom system\n' | cmp -s - out
  check "popen and system, $isolation"
  valid shells.trace; check "trace of popen and system, $isolation"
  timeout 120 "$heddle" trace run execs.c --isolation=$isolation -o exec.trace > out 2> err
  case $? in
    0) test "$(cat out)" = echoed ;;
    4) says 'unsupported' ;;
    *) head -3 err >&2; false ;;
  esac
  check "exec alone runs or is called unsupported, $isolation"
  valid exec.trace; check "trace of exec alone, $isolation"
done
until_true 30 no_target; check "child processes leave no process"

# Kills.
for isolation in in-process fork fresh; do
  "$heddle" trace run works_long.c --limit=100000000 --isolation=$isolation -o long.trace > out 2> err & pid=$!
  at_work
  for target in $(targets); do kill -9 "$target" 2> /dev/null; done
  until_true 30 ended $pid || kill -9 $pid
  wait $pid 2> /dev/null
  test $? -eq 1 && says 'killed'; check "killed target, $isolation"
  valid long.trace && "$heddle" trace stats long.trace > out 2>&1; check "trace of a killed target, $isolation"
  "$heddle" trace dump long.trace 2> /dev/null | grep -q 'global works_long.c:counter'; check "events before the kill, $isolation"

  "$heddle" trace run works_long.c --limit=100000000 --isolation=$isolation > out 2> err & pid=$!
  at_work
  kill -9 $pid
  wait $pid 2> /dev/null
  until_true 30 no_target; check "heddle killed leaves no target, $isolation"
  for target in $(targets); do kill -9 "$target" 2> /dev/null; done

  # A group of its own, as a shell gives each command; SIGINT as Ctrl-C sends it.
  setsid python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
    "$heddle" trace run works_long.c --isolation=$isolation -o stopped.trace > out 2> err & pid=$!
  at_work
  kill -INT -- -$pid
  until_true 30 ended $pid; check "Ctrl-C ends promptly, $isolation"
  kill -9 $pid 2> /dev/null
  wait $pid 2> /dev/null
  test $? -eq 130 && says 'interrupted'; check "Ctrl-C gives 130 and says so, $isolation"
  valid stopped.trace; check "Ctrl-C keeps a valid trace, $isolation"
  "$heddle" trace dump stopped.trace 2> /dev/null | grep -q 'global works_long.c:counter'; check "Ctrl-C keeps events, $isolation"
  until_true 30 no_target; check "Ctrl-C leaves no target, $isolation"
  for target in $(targets); do kill -9 "$target" 2> /dev/null; done
done

# The same by SIGTERM, and in a free run.
for mode in --isolation=fork --free; do
  rm -f stopped.trace
  "$heddle" trace run works_long.c $mode --schedule-output=stopped.schedule -o stopped.trace > out 2> err & pid=$!
  at_work
  kill -TERM $pid
  until_true 30 ended $pid || kill -9 $pid
  wait $pid 2> /dev/null
  test $? -eq 130 && says 'interrupted'; check "SIGTERM gives 130, $mode"
  valid stopped.trace; check "SIGTERM keeps a valid trace, $mode"
  "$heddle" trace dump stopped.trace 2> /dev/null | grep -q 'global works_long.c:counter'; check "SIGTERM keeps events, $mode"
  until_true 30 no_target; check "SIGTERM leaves no target, $mode"
done

# Waiting for what never comes.
for carrier in fiber thread; do
  gives 1 trace run waits_for_pipe.c --hang-seconds=1 --carrier=$carrier -o hang.trace &&
    says 'hang: no visible operation for 1 s: T0.0 waits to read descriptor [0-9]'
  check "pipe that nobody writes, $carrier"
  valid hang.trace; check "trace of a pipe that nobody writes, $carrier"
done

# Endless programs.
for isolation in in-process fork fresh; do
  for carrier in fiber thread; do
    gives 1 trace run loops.c --hang-seconds=1 --isolation=$isolation --carrier=$carrier -o hang.trace && says 'hang'
    check "endless loop, $isolation, $carrier"
    valid hang.trace; check "trace of an endless loop, $isolation, $carrier"
  done
done
until_true 30 no_target; check "endless loops leave no process"
(ulimit -v 3000000; timeout -k 1 180 "$heddle" trace run never_rests.c > out 2> err)
code=$?
test $code -eq 3 -o $code -eq 4 && says 'heddle: .*memory\|limit'; check "more events than memory ends with a message (exit $code)"
until_true 30 no_target; check "more events than memory leaves no process"
for target in $(targets); do kill -9 "$target" 2> /dev/null; done

# A full disk.
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k tmpfs small 2> /dev/null; then
  mounted="$work/small"
  head -c 60000 /dev/urandom > small/filler
fi
cat > eventful.c <<'C'
#include <stdatomic.h>
static atomic_long values[64];
int main(void) {
  unsigned long state = 1;
  for (int i = 0; i < 20000; i++) {
    state = state * 6364136223846793005ul + 1;
    values[state >> 58] = (long)state;
  }
  return 0;
}
C
if [ -n "$mounted" ]; then
  gives 3 trace run eventful.c -o small/run.trace && says 'small/run.trace.*No space left'; check "trace onto a full disk"
  gives 3 trace run eventful.c --schedule-output=small/run.schedule && says 'No space left'; check "schedule onto a full disk"
else
  (ulimit -f 16; trap '' XFSZ; gives 3 trace run eventful.c -o small/run.trace && says 'small/run.trace.*too large')
  check "trace larger than allowed"
fi
test ! -e small/run.trace -a ! -e small/run.schedule; check "no half file under the final name"
test ! -e small/run.trace.partial || "$heddle" trace validate small/run.trace.partial > out 2>&1
check "what a full disk holds of the trace can be read"
test -z "$(ls small | grep -v -e filler -e run.trace.partial)"; check "no other pieces on a full disk"

# Programs that do unusual things.
for carrier in fiber thread; do
  gives 0 trace run closes_all.c --carrier=$carrier -o run.trace && test "$(cat out)" = "closed 1" && valid run.trace
  check "closes all files from 3 up, $carrier"
  # The handler may run, or the access may be called a failure first.
  timeout -k 1 120 "$heddle" trace run handles_segv.c --carrier=$carrier -o run.trace > out 2> err
  case $? in
    0) test "$(cat out)" = "went on" ;;
    1) says 'handles_segv.c:9' ;;
    *) head -3 err >&2; false ;;
  esac && valid run.trace
  check "handles SIGSEGV, $carrier"
  gives 0 trace run many_threads.c --carrier=$carrier -o run.trace && test "$(cat out)" = 2000 && valid run.trace
  check "2,000 threads, $carrier"
  gives 0 trace run recurses.c --carrier=$carrier -o run.trace && test "$(cat out)" = 40000 && valid run.trace
  check "deep recursion, $carrier"
  gives 1 trace run overflows.c --carrier=$carrier -o run.trace && says 'overflow\|signal' && valid run.trace
  check "endless recursion, $carrier"
done

# Standard input.
printf 'a\nb\nc\n' > input
for isolation in in-process fork fresh; do
  gives 0 trace run reads.c --isolation=$isolation --schedule-output=in.schedule -o in.trace < input &&
    printf 'a\nb\nc\n3 lines\n' | cmp -s - out; check "input from a file, $isolation"
  gives 0 replay in.schedule reads.c --isolation=$isolation < input && printf 'a\nb\nc\n3 lines\n' | cmp -s - out
  check "input from a file in the replay, $isolation"
  gives 0 trace run reads.c --isolation=$isolation <&- && test "$(cat out)" = "0 lines"; check "input closed, $isolation"
done
printf 'a\nb\nc\n' | gives 0 trace run reads.c && printf 'a\nb\nc\n3 lines\n' | cmp -s - out || says 'input'
check "input from a pipe arrives, or heddle says that it does not"
timeout 120 "$heddle" trace run nothing.c >&- 2> err; test $? -eq 0; check "output closed"

# Places.
gives 0 trace run nothing.c; check "a program for the cache"
touch a_file
XDG_CACHE_HOME="$work/a_file" gives 3 trace run nothing.c && says 'a_file' && says 'XDG_CACHE_HOME'
check "cache that cannot be made"
if [ "$(id -u)" -ne 0 ] || command -v setpriv > /dev/null; then
  mkdir locked && chmod 555 locked && chmod 755 "$work"
  as_user=()
  if [ "$(id -u)" -eq 0 ]; then as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
  if "${as_user[@]}" test -x "$heddle"; then
    XDG_CACHE_HOME="$work/locked" timeout 120 "${as_user[@]}" "$heddle" trace run nothing.c > out 2> err
    test $? -eq 3 && says 'locked' && says 'ermission'; check "cache that is not writable"
  fi
fi
env -u HOME timeout 120 "$heddle" trace run nothing.c > out 2> err; check "HOME unset"
env -u HOME -u XDG_CACHE_HOME timeout 120 "$heddle" trace run nothing.c > out 2> err
code=$?
test $code -eq 0 || { test $code -eq 3 && says 'XDG_CACHE_HOME'; }; check "HOME and XDG_CACHE_HOME unset"
mkdir 'a folder' && cp reads.c 'a folder/my program.c' && gives 0 trace run 'a folder/my program.c' -o 'a folder/my trace' &&
  valid 'a folder/my trace'; check "source path with spaces"
"$heddle" cc reads.c -o 'a folder/my prog' && gives 0 trace run 'a folder/my prog' < input && grep -q '3 lines' out
check "program path with spaces"
XDG_CACHE_HOME="$work/a folder/cache" gives 0 trace run reads.c < input; check "cache path with spaces"

# A damaged cache entry is built again.
map() { find cache -name map | head -1; }
rm -rf cache && gives 0 trace run reads.c < input
for keep in 0 1 40; do
  head -c $keep "$(map)" > cut && cp cut "$(map)"
  gives 0 trace run reads.c < input && grep -q '3 lines' out; check "map cut to $keep bytes"
  rm -rf cache && gives 0 trace run reads.c < input
done
size=$(stat -c %s "$(map)")
head -c $((size - 1)) "$(map)" > cut && cp cut "$(map)"
gives 0 trace run reads.c < input && grep -q '3 lines' out; check "map without its last byte"
for keep in 0 100 5000; do
  rm -rf cache && gives 0 trace run reads.c < input
  target=$(dirname "$(map)")/target
  head -c $keep "$target" > cut && cat cut > "$target"
  gives 0 trace run reads.c < input && grep -q '3 lines' out; check "target cut to $keep bytes"
done
rm -rf cache && gives 0 trace run reads.c < input && rm "$(dirname "$(map)")/target"
gives 0 trace run reads.c < input && grep -q '3 lines' out; check "target missing"
rm -rf cache
"$heddle" trace run nothing.c > /dev/null 2> err.one & one=$!
"$heddle" trace run nothing.c > /dev/null 2> err.two & two=$!
wait $one && wait $two; check "two at once fill the cache"
test -z "$(find cache -name '*.partial*')"; check "no pieces are left in the cache"

summary
