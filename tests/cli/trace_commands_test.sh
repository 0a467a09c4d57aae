#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The trace commands, replay and doctor: exit codes and messages of each
# situation, and answers that are the same byte for byte.
#
#   trace_commands_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
exec < /dev/null

cd "$work" || exit 1
cat > two.c <<'C'
#include <pthread.h>
#include <stdio.h>
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *increment(void *unused) {
  (void)unused;
  counter++;
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  for (int i = 1; i < argc; i++) printf("[%s]\n", argv[i]);
  fprintf(stderr, "own talk\n");
  return 0;
}
C
cat > deadlock.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  return pthread_mutex_lock(&mutex);
}
C
printf 'int helper(void) { return 0; }\n' > no_main.c
printf 'int main(void) { return undeclared_name; }\n' > wrong.c
printf 'int main(void) { return 7; }\n' > seven.c
printf '#include <assert.h>\nint main(int argc, char **argv) { (void)argv; assert(argc == 9); }\n' > asserts.c
printf '#include <unistd.h>\nint main(void) { return pause(); }\n' > pauses.c
printf '#ifndef TWO_WORDS\n#error flag did not arrive\n#endif\nint main(void) { return TWO_WORDS - MORE; }\n' > flags.c

# Help and version.
gives 0 --help && answers 'Usage: heddle' && test ! -s err; check "--help"
gives 0 -h && answers 'Usage: heddle'; check "-h"
gives 0 --version && test "$(wc -l < out)" -eq 1 && answers '^heddle [0-9]'; check "--version"
for command in trace "trace run" "trace dump" "trace stats" "trace validate" "trace diff" "trace export" replay doctor; do
  gives 0 $command --help && answers "Usage: heddle $command" && test ! -s err; check "$command --help"
done
gives 2; check "no command is wrong usage"
gives 0 doctor && answers 'C compiler' && test ! -s err; check "doctor"

# Wrong usage: code 2, nothing on stdout, the nearest word.
gives 2 tarce run two.c && says 'did you mean trace' && silent; check "mistyped command"
gives 2 trace rnu two.c && says 'did you mean run' && silent; check "mistyped subcommand"
gives 2 trace run --sede=1 two.c && says 'did you mean --seed' && silent; check "mistyped option"
gives 2 trace run two.c --strategy=randm && says 'Did you mean "random"' && silent; check "mistyped strategy"
gives 2 trace run two.c --strategy=repaly:x && says 'replay:FILE' && silent; check "mistyped replay"
gives 2 trace run two.c --strategy=replay: && silent; check "replay without a file"
gives 2 trace run two.c --carrier=fibre && says 'fiber' && silent; check "unknown carrier"
gives 2 trace run two.c --isolation=none && says 'in-process' && silent; check "unknown isolation"
gives 2 trace run two.c --seed=many && silent; check "seed that is not a number"
gives 2 trace run two.c --seed=-1 && silent; check "negative seed"
gives 2 trace run two.c --limit=x && silent; check "limit that is not a number"
gives 2 trace run two.c --hang-seconds=-1 && silent; check "negative time"
gives 2 trace run && says 'program is required' && silent; check "run without a program"
gives 2 trace dump && silent; check "dump without a file"
gives 2 trace && silent; check "trace without a subcommand"
gives 3 replay && silent; check "replay without a schedule"
gives 2 doctor extra && silent; check "doctor with an argument"
gives 2 unheard-of && silent; check "unknown command"

# Running: what comes out, where, with which code.
gives 0 trace run two.c -o two.trace --schedule-output=two.schedule && silent && says 'heddle: exit 0' && says 'own talk'
check "run says how it ended on stderr"
says 'events of 4 threads in two.trace'; check "run says what it wrote"
gives 0 trace run two.c -- one 'two words' --seed=x -- ''
printf '[one]\n[two words]\n[--seed=x]\n[--]\n[]\n' | cmp -s - out; check "arguments after -- reach the program"
gives 0 trace run flags.c --cflags='-DTWO_WORDS=3 -DMORE=3'; check "--cflags with two flags"
gives 0 trace run flags.c --cflags=-DTWO_WORDS=3 --cflags=-DMORE=3; check "--cflags twice"
gives 0 trace run flags.c --cflags= --cflags='-DTWO_WORDS=3 -DMORE=3'; check "--cflags with nothing"
gives 2 trace run flags.c --seed= -o flags.trace && says 'seed needs a value'; check "an option without its value"
gives 1 trace run seven.c -o seven.trace && says 'exit 7' && test -s seven.trace; check "nonzero exit code is a finding"
gives 1 trace run deadlock.c -o deadlock.trace && says 'deadlock' && silent; check "deadlock is a finding"
gives 1 trace run asserts.c -o asserts.trace && says 'assert' && says 'asserts.c:2'; check "failed assertion is a finding"
gives 4 trace run pauses.c -o pauses.trace && says 'unsupported' && says 'pause'; check "what is not supported"
gives 4 trace run two.c --limit=3 -o bound.trace && says 'limit'; check "limit of operations"
for trace in seven deadlock asserts pauses bound; do
  gives 0 trace validate $trace.trace; check "trace of $trace is valid"
  gives 0 trace dump $trace.trace && test -s out; check "trace of $trace can be shown"
done
gives 3 trace run no_such_file.c && says 'no_such_file.c' && silent; check "missing source"
gives 3 trace run two.c no_such_file.c && says 'no_such_file.c'; check "missing second source"
gives 3 trace run . && says 'directory' && silent; check "a directory as a program"
gives 3 trace run wrong.c && says 'wrong.c:1:.*undeclared_name' && silent; check "compile error shows the compiler's words"
gives 3 trace run no_main.c && says 'main' && silent; check "program without main"
gives 3 trace run two.trace && silent; check "a trace as a program"
gives 3 trace run /bin/true && says 'no bitcode'; check "program of another compiler"
gives 3 trace run two.c -o no/such/folder && says 'no/such/folder'; check "trace into a missing folder"
gives 3 trace run two.c --schedule-output=no/such/folder && says 'no/such/folder'; check "schedule into a missing folder"
mkdir folder && gives 3 trace run two.c -o folder && says 'the whole trace is in folder.partial' &&
  gives 0 trace validate folder.partial; check "trace onto a folder"

# Looking at traces.
gives 0 trace dump two.trace && test ! -s err && head -1 out | grep -q '^heddle-trace'; check "dump"
gives 0 trace dump --raw two.trace && cp out raw.text; check "dump --raw"
gives 0 trace diff two.trace raw.text && silent; check "dump --raw can be read back"
gives 0 trace dump --raw raw.text && cmp -s out raw.text; check "dump --raw of what was read back is the same"
gives 0 trace dump two.trace && cp out names && gives 0 trace dump raw.text && cmp -s out names; check "dump of the raw text"
gives 0 trace stats two.trace && answers 'program *two' && test ! -s err; check "stats"
gives 0 trace validate two.trace && answers 'valid' && test ! -s err; check "validate"
gives 0 trace diff two.trace two.trace && silent; check "diff of equal traces"
gives 0 trace run two.c --strategy=random --seed=1 -o one.trace
gives 1 trace diff two.trace one.trace && test -s out && test ! -s err; check "diff of different traces"
gives 1 trace diff two.trace seven.trace && test -s out; check "diff of traces of two programs"
gives 0 trace export two.trace && python3 -m json.tool < out > /dev/null; check "export to Perfetto is JSON"
gives 0 trace export two.trace --to=std && head -1 out | grep -q '^T0|'; check "export to RAPID"
gives 2 trace export two.trace --to=csv; check "export to an unknown format"
for command in dump stats validate export "diff two.trace"; do
  gives 3 trace $command missing.trace && says 'missing.trace' && silent; check "$command of a missing file"
  gives 3 trace $command two.c && says 'two.c' && silent; check "$command of something else"
  : > empty && gives 3 trace $command empty && says 'empty' && silent; check "$command of an empty file"
  gives 3 trace $command folder && says 'folder' && silent; check "$command of a folder"
done
size=$(stat -c %s two.trace)
for keep in 1 7 8; do
  head -c "$keep" two.trace > cut.trace
  gives 3 trace stats cut.trace && says 'cut.trace'; check "trace cut to $keep bytes is refused"
done
for keep in $((size / 2)) $((size - 20)) $((size - 1)); do
  head -c "$keep" two.trace > cut.trace
  gives 0 trace validate cut.trace && answers 'breaks off'; check "trace cut to $keep bytes breaks off"
  gives 1 trace diff two.trace cut.trace && test -s out; check "trace cut to $keep bytes is different"
done
for where in $((size / 3)) $((size / 2)) $((size - 30)); do
  cp two.trace bad.trace && printf '\xa5' | dd of=bad.trace bs=1 seek=$where conv=notrunc status=none
  gives 3 trace stats bad.trace && says 'bad.trace' && silent; check "flipped byte $where is refused"
  gives 0 trace dump --salvage bad.trace && test -s out; check "--salvage reads what is whole before byte $where"
done
"$heddle" trace dump two.trace 2> err > /dev/full; test $? -eq 74 && says 'standard output'; check "dump into a full disk"

# Same input, same bytes.
reference() { gives 0 trace run two.c "$@" -o a.trace && "$heddle" trace dump a.trace > reference; }
same() { gives 0 trace run two.c "$@" -o b.trace && "$heddle" trace dump b.trace | cmp -s - reference; }
for strategy in "--strategy=default" "--strategy=random --seed=3" "--strategy=random --seed=4" "--strategy=pct --seed=5"; do
  reference $strategy; check "$strategy"
  same $strategy; check "$strategy twice"
  cmp -s a.trace b.trace; check "$strategy twice, files"
  same $strategy --carrier=thread; check "$strategy on the other carrier"
  for isolation in in-process fork fresh; do
    same $strategy --isolation=$isolation; check "$strategy, isolation $isolation"
  done
  same $strategy --isolation=fresh --carrier=thread; check "$strategy, fresh on threads"
done
"$heddle" cc -g -O0 two.c -o two && gives 0 trace run two -o b.trace; check "program instead of source"

# Replay.
gives 0 trace run two.c --strategy=random --seed=9 --schedule-output=nine.schedule -o nine.trace; check "schedule is written"
gives 0 replay nine.schedule two.c && silent && says 'exit 0'; check "replay"
for carrier in fiber thread; do
  for isolation in in-process fork fresh; do
    gives 0 trace run two.c --strategy=replay:nine.schedule -o again.trace --carrier=$carrier --isolation=$isolation &&
      gives 0 trace diff nine.trace again.trace; check "replay on $carrier, $isolation"
  done
done
cat > buffers.c <<'C'
#include <pthread.h>
static volatile int x, y, a, b;
static void *other(void *unused) { y = 1; b = x; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  x = 1;
  a = y;
  pthread_join(thread, 0);
  return !a && !b;
}
C
found=
for seed in $(seq 60); do
  "$heddle" trace run buffers.c --memory=tso --strategy=random --seed="$seed" -o tso.trace --schedule-output=tso.schedule \
    > /dev/null 2>&1 || { found=yes; break; }
done
[ -n "$found" ]; check "store buffering under tso"
gives 0 trace validate tso.trace && gives 0 trace dump tso.trace && answers ' flush '; check "its trace is valid and shows flushes"
gives 1 trace run buffers.c --strategy=replay:tso.schedule -o again.trace && gives 0 trace diff tso.trace again.trace
check "its schedule brings its memory model along"
gives 2 trace run buffers.c --memory=sc --strategy=replay:tso.schedule && says 'memory model tso'; check "another memory model"
gives 2 trace run buffers.c --memory=arm && silent; check "an unknown memory model"
gives 0 trace run two.c --heap=reuse; check "reuse of addresses"

gives 1 trace run deadlock.c --schedule-output=deadlock.schedule -o x.trace
gives 0 replay deadlock.schedule deadlock.c && says 'deadlock'; check "replay of a deadlock happens again"
grep -q '^result "deadlock"$' deadlock.schedule; check "schedule says what it comes to"
sed 's/^result .*/result "exit 0"/' deadlock.schedule > bad.schedule
gives 4 replay bad.schedule deadlock.c && says 'deadlock' && says 'comes to "exit 0"'; check "replay that comes to something else"
sed '/^result/d' deadlock.schedule > bare.schedule
gives 0 replay bare.schedule deadlock.c && says 'deadlock'; check "schedule without a result is followed to its end"
gives 1 trace run asserts.c --schedule-output=asserts.schedule && grep -q '^result "assertion: argc == 9"$' asserts.schedule
check "schedule of a failed assertion says which"
gives 0 replay asserts.schedule asserts.c; check "replay of a failed assertion happens again"
gives 4 replay asserts.schedule asserts.c -- 2 3 4 5 6 7 8 9 && says 'that did not happen again'
check "replay with other arguments comes to something else"
gives 3 replay nine.schedule deadlock.c && says 'another'; check "schedule of another program"
gives 3 trace run seven.c --strategy=replay:nine.schedule && says 'another'; check "strategy replay of another program"
gives 3 replay missing.schedule two.c && says 'missing.schedule'; check "missing schedule"
gives 3 replay two.trace two.c && says 'two.trace:1'; check "trace as a schedule"
gives 3 replay nine.schedule && says 'which program'; check "replay without a program"
sed '7s/.*/op T0 x/' nine.schedule > bad.schedule
gives 3 replay bad.schedule two.c && says 'bad.schedule:7:'; check "damaged schedule with line number"
sed '7s/^op/po/' nine.schedule > bad.schedule
gives 3 replay bad.schedule two.c && says 'bad.schedule:7:' && says 'id you mean'; check "mistyped step"
sed '/^end/d' nine.schedule > bad.schedule
gives 3 replay bad.schedule two.c && says 'cut off'; check "schedule without end"
sed 's/^heddle-schedule 1/heddle-schedule 99/' nine.schedule > bad.schedule
gives 3 replay bad.schedule two.c && says 'version 99'; check "schedule of another version"
sed '/^result/a op T0.0 0' nine.schedule > bad.schedule
gives 4 replay bad.schedule two.c && says 'diverged' && says 'T0.0' && silent; check "thread that is not there diverges"
sed '/^result/a op T0 5' nine.schedule > bad.schedule
gives 4 replay bad.schedule two.c && says 'diverged: .*T0'; check "operation out of order diverges, and says where"
gives 4 trace run two.c --strategy=replay:bad.schedule -o diverged.trace && says 'diverged'; check "strategy replay diverges"
gives 0 trace validate diverged.trace; check "trace of a diverged run is valid"

summary
