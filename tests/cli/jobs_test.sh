#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle check with several workers, with targets that somebody kills, in parts
# (--resume), and from damaged checkpoints: the result is always the one of a
# check that is left alone.
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../../bench/programs")
cd "$work" || exit 1
cp "$programs"/{account,bubble_sort,dekker,lock_order,view_cache}-paper.c "$programs"/{counter-peer.c,paper.h,peers.h} .
cp "$programs"/../../tests/check_programs/aba_stack.c .

# result FILE ARGUMENTS...: result.json without times.
result() {
  local file=$1
  shift
  timeout -k 1 120 "$heddle" check --format=json "$@" < /dev/null 2> err | sed '/seconds"/d' > "$file"
  test -s "$file"
}
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -5 >&2; return 1; }; }

# ---- Any number of workers.
while read -r what; do
  result one $what && result two --jobs=2 $what && result four --jobs=4 $what && same one two && same one four
  check "1, 2 and 4 workers: $what"
done << 'END'
--reduce=mcr --keep-going account-paper.c
--reduce=mcr account-paper.c
--reduce=mcr --memory=pso dekker-paper.c
--reduce=mcr --memory=tso --keep-going --races lock_order-paper.c
--reduce=mcr --cflags=-DPLAIN --races --keep-going account-paper.c
--search=pct --executions=100 view_cache-paper.c
--reduce=dpor bubble_sort-paper.c
--reduce=mcr --executions=300 --cflags=-DN=3 bubble_sort-paper.c
--keep-going account-paper.c
--cflags=-DN=3 counter-peer.c
--memory=tso --keep-going --races lock_order-paper.c
--heap=reuse --keep-going --outcomes aba_stack.c
END
gives 2 check --jobs=0 account-paper.c; check "no workers are wrong usage"

# ---- The host binds the target to a core; the program does not see it.
cat > cores.cpp << 'END'
#include <heddle.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <thread>
int main() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  heddle_observe("set", CPU_COUNT(&allowed));
  heddle_observe("online", sysconf(_SC_NPROCESSORS_ONLN));
  heddle_observe("processors", get_nprocs());
  heddle_observe("threads", std::thread::hardware_concurrency());
  std::thread([] {}).join();
}
END
result cores --keep-going --outcomes cores.cpp
check "a program that counts cores"
python3 - "$(nproc)" << 'END'
import json, sys
want = int(sys.argv[1])
got = json.load(open("cores"))["outcomes"]
assert got == [{"set": want, "online": want, "processors": want, "threads": want}], got
END
check "it counts those of the machine"

# ---- Targets that somebody kills. Between runs a server may be killed, too.
"$heddle" cc -g -pthread -DPAIRS=3 account-paper.c -o account  # so that no compiler is killed
large="--reduce=mcr --keep-going --executions=1200 account"
result whole $large; check "the check that is left alone"
# Ten at most: where starting a target takes longer than the next kill, nothing would ever be done.
killed_at_random() {
  "$heddle" check --format=json "$@" > disturbed.all 2> err &
  local check=$! kills=0
  while kill -0 $check 2> /dev/null && test $kills -lt 10; do
    sleep "0.0$((RANDOM % 9 + 1))"
    for target in $(cat /proc/$check/task/*/children 2> /dev/null); do
      case $(readlink "/proc/$target/exe" 2> /dev/null) in */target) ;; *) continue ;; esac
      if kill -9 "$target" 2> /dev/null; then kills=$((kills + 1)); fi
    done
  done
  wait $check
  test -s disturbed.all || head -3 err >&2
  sed '/seconds"/d' disturbed.all > disturbed
  test $kills -ge 3 || { echo "  only $kills targets were killed" >&2; return 1; }
}
for how in --jobs=1 --jobs=2 '--jobs=2 --isolation=fork'; do
  killed_at_random $how $large && same whole disturbed; check "kill -9 of targets, $how"
done
cat > kills_itself.c << 'END'
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static int x;
static void *child(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  if (x) syscall(SYS_kill, getpid(), SIGKILL);
  pthread_join(thread, 0);
  return 0;
}
END
result one kills_itself.c && result two --jobs=2 kills_itself.c && same one two && grep -q '"killed"' one
check "a program that kills itself is not run for ever"

# ---- In parts: five short ones, the last as long as it takes.
in_parts() {
  local seconds=$1 parts=1
  shift
  rm -rf heddle
  timeout 60 "$heddle" check --jobs=2 --time-limit="$seconds" --format=json "$@" > part 2> err
  while test -e "heddle/runs/$(printf %03d $parts)-check/checkpoint" && test $parts -lt 9; do
    test $parts -lt 5 || seconds=100
    timeout 120 "$heddle" check --resume=$parts --time-limit="$seconds" --jobs=$((parts % 2 + 1)) --format=json > part 2> err
    parts=$((parts + 1))
  done
  sed '/seconds"/d' part > parts
  test $parts -ge 3 || { echo "  done in $parts parts" >&2; return 1; }
}
result whole --reduce=mcr --keep-going --cflags=-DPAIRS=3 account-paper.c
in_parts 0.6 --reduce=mcr --keep-going --cflags=-DPAIRS=3 account-paper.c && same whole parts; check "a check in parts"
cp whole killed
rm -rf heddle
result whole --reduce=mcr --keep-going --races account-paper.c
rm -rf heddle
result parts --reduce=mcr --keep-going --races --executions=15 account-paper.c
for part in 1 2 3 4 5; do result parts --resume=$part --executions=$((15 * part + 15)); done
same whole parts; check "with races, in six parts"

# Learned threads run again what they had run, and then perhaps something else than without the break.
answer() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(r["verdict"], r["reasons"], r["outcomes"], r["findings"], r["stats"]["states"])' "$1"; }
for merging in --keep-going --no-merge; do
  rm -rf heddle
  learned="--reduce=learn --keep-going $merging --cflags=-DN=4 counter-peer.c"
  result whole $learned
  rm -rf heddle
  result parts $learned --executions=20
  for part in 1 2; do result parts --resume=$part --executions=$((20 * part + 20)); done
  result parts --resume=3
  test -e heddle/runs/003-check/checkpoint && ! test -e heddle/runs/004-check/checkpoint &&
    test "$(answer whole)" = "$(answer parts)"
  check "learned threads, in four parts ($merging)"
done

# By time: what a part did not come to is done by a later one, wherever it was interrupted.
rm -rf heddle
result whole --reduce=learn --keep-going --no-merge --cflags=-DN=6 counter-peer.c
in_parts 0.1 --reduce=learn --keep-going --no-merge --cflags=-DN=6 counter-peer.c && test "$(answer whole)" = "$(answer part)"
check "learned threads, in parts that end by time"

# Which races were shown goes into the checkpoint: each is found, and found once.
cat > three_races.c << 'END'
#include <pthread.h>
#include <stdatomic.h>
static int one, two, three;
static atomic_int flag;
static void *run(void *unused) {
  one = 1;
  two = 1;
  three = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  one = 2;
  two = 2;
  if (atomic_load_explicit(&flag, memory_order_relaxed)) three = 2;
  pthread_join(thread, 0);
  return 0;
}
END
rm -rf heddle
result whole --reduce=learn --races --keep-going three_races.c
rm -rf heddle
result parts --reduce=learn --races --keep-going --executions=2 three_races.c
result parts --resume=1 --executions=3
result parts --resume=2
races() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(r["reasons"], sorted((f["kind"], f["confirmed"], f["enabled_at_once"], [p["line"] for p in f["places"]]) for f in r["findings"]))' "$1"; }
test "$(grep -c '"kind": "race"' parts)" = 3 && test "$(races whole)" = "$(races parts)"; check "learned threads with races, in three parts"

# ---- Interrupted.
rm -rf heddle
"$heddle" check --jobs=2 --checkpoint-seconds=0.2 --reduce=mcr --keep-going --cflags=-DPAIRS=3 account-paper.c > out 2> err &
pid=$!
until_true 20 test -s heddle/runs/001-check/checkpoint
kill -9 $pid
wait $pid 2> /dev/null
result parts --resume=1 && same killed parts; check "kill -9 loses nothing but what came after the last checkpoint"
rm -rf heddle
"$heddle" check --reduce=mcr --cflags=-DN=3 bubble_sort-paper.c > out 2> err &
pid=$!
until_true 20 test -d heddle/runs/001-check && sleep 1
kill -TERM $pid
wait $pid
test $? -eq 130 && answers 'to go on: heddle check --resume=.*/runs/001-check$' && test -s heddle/runs/001-check/checkpoint
check "SIGTERM leaves a checkpoint"
gives 4 check --resume=001-check --time-limit=0.2 && answers 'executions'; check "by the name of the run"
gives 4 check --resume=heddle/runs/001-check --executions=1; check "by its directory"

# ---- Not fit to be resumed.
gives 3 check --resume=77 && says 'no run 77'; check "no such run"
gives 3 check --memory=tso --resume=1 && says 'memory=sc' && says 'memory=tso'; check "another memory model"
gives 3 check --resume=1 dekker-paper.c && says 'another program'; check "another program"
gives 4 check --reduce=none --executions=5 --keep-going account-paper.c && ! answers 'to go on'; check "no checkpoint of plain enumeration"
last=$(ls -d heddle/runs/* | tail -1)
gives 3 check --resume="$last" && says 'no checkpoint'; check "which says so"
damage() {
  python3 - heddle/runs/001-check/checkpoint "$1" << 'END'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
seed = int(sys.argv[2])
draw = random.Random(seed)
if seed % 2:
    data = data[:draw.randrange(len(data))]
else:
    data[draw.choice([draw.randrange(len(data)), draw.randrange(40)])] ^= 1 << draw.randrange(8)
open("damaged", "wb").write(data)
END
}
undetected=0
for seed in $(seq 1 40); do
  damage "$seed" && gives 3 check --resume=damaged && says 'damaged\|not a checkpoint\|another version' || undetected=$((undetected + 1))
done
test $undetected -eq 0; check "damaged checkpoints"
summary
