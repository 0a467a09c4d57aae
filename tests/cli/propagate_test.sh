#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle propagate and heddle inject: no false alarms in free runs without fault, no
# crash or silent corruption without deviation, experiments that repeat, errors that
# cross threads, campaigns that are killed, and what is refused.
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
programs=$root/bench/programs input=$root/bench/propagate/input
cd "$work" || exit 1

# asserts CODE: Python over the answer as `r`.
asserts() { python3 -c "import json; r = json.load(open('out'))
$1" || { head -c 600 out >&2; return 1; }; }
alarms="f = r['stats']['faults'][0]; assert r['verdict'] == 'done' and f['runs'] == 200 and f['false_alarms'] == 0, f"
honest="
for f in r['stats']['faults']:
    assert f['injected'] == f['runs'] == 20, f
    for outcome in ('crash', 'sdc'): assert f['mpfnr'][outcome] in (None, 0), f"

# ---- The five programs of the published evaluation.
for name in quicksort pca kmeans blackscholes swaptions; do
  "$heddle" cc -g -O0 -pthread "$programs/$name-fault.c" -lm -o $name && "$heddle" cc -g -O0 -DTHREADS=0 "$programs/$name-fault.c" -lm -o $name-1
  gives 0 propagate $name --faults=none --runs=200 --format=json -- "$input/$name.bin" && asserts "$alarms"
  check "$name: 200 free runs without fault do not deviate"
  gives 0 propagate $name-1 --faults=none --runs=200 --format=json -- "$input/$name.bin" && asserts "$alarms"
  check "$name with one thread: neither"
  gives 0 propagate $name --runs=20 --jobs=2 --format=json -- "$input/$name.bin" && asserts "$honest"
  check "$name: no crash or silent corruption without deviation"
done
gives 0 propagate quicksort --faults=bitflip --runs=150 --assume-deterministic --format=json -- "$input/quicksort.bin" && python3 - "$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)" << 'END'
import csv, json, sys
work = json.load(open(sys.argv[1] + "/result.json"))["stats"]["instructions"]
rows = list(csv.DictReader(open(sys.argv[1] + "/experiments.csv")))
hangs = [row for row in rows if row["reason"] == "ten times the work of the run without fault"]
assert hangs and all(row["outcome"] == "hang" for row in hangs), rows
# Beginnings of segments are work, too: they are fewer than the values.
assert all(11 * work < int(row["instructions"]) < 21 * work + 5000 for row in hangs), [row["instructions"] for row in hangs]
assert all(int(row["instructions"]) < 21 * work + 5000 for row in rows)
noticed = [row for row in rows if row["outcome"] == "detected"]
assert noticed and all(row["reason"].startswith("exit code ") and row["reason"].endswith(" instead of 0") for row in noticed), noticed
END
check "quicksort: a hang is ten times the work, and some faults are noticed by the program"
gives 4 propagate "$programs/pca-fault.c" --cflags="-DCOUNTER -lm" --format=json -- "$input/pca.bin" &&
  asserts "assert r['verdict'] == 'refused' and r['reasons'][0]['code'] == 'reversible' and 'counter' in r['reasons'][0]['text']"
check "rows from a counter: refused with evidence"
gives 4 propagate "$programs/locked_sum-fault.c" --format=json -- "$input/sum.bin" && asserts "assert r['reasons'][0]['code'] == 'reversible'"
check "a sum in the order of a lock: refused"
gives 0 propagate "$programs/barrier_sum-fault.c" --faults=none --runs=20 -- "$input/sum.bin"; check "a sum between barriers: not refused"

# ---- One experiment: the same each time, and what it reports.
cat > crossing.c << 'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int shared;
static void produce(int n) { shared = n * 3; }
static void *producer(void *n) {
  produce(*(int *)n);
  return 0;
}
static void *consumer(void *count) {
  int *copy = malloc(sizeof(int)), *other = malloc(sizeof(int));
  *copy = *other = shared;
  for (int i = 0; i < *copy % 7; ++i) ++*(int *)count;
  free(copy);
  free(other);
  return 0;
}
int main(void) {
  pthread_t p, q;
  int n = 15, count = 0;
  pthread_create(&p, 0, producer, &n);
  pthread_join(p, 0);
  pthread_create(&q, 0, consumer, &count);
  pthread_join(q, 0);
  FILE *f = fopen("result.txt", "w");
  fprintf(f, "%d\n", count);
  fclose(f);
  return 0;
}
END
one="inject crossing.c --function=produce --instruction=mul --experiment=bitflip:0 --format=json"
gives 0 $one && cp out first && asserts "
assert r['outcome'] in ('sdc', 'benign') and r['thread'] == 'T0.0' and r['place'].startswith('crossing.c:5'), r
assert 'T0.1' in r['threads_reached'] and 'global crossing.c:shared' in r['objects'], r
crossing = [x for x in r['crossings'] if x['to'] == 'T0.1'][0]
assert crossing['from'] == 'T0.0' and crossing['through'] == 'global crossing.c:shared', r"
check "an error goes from one thread to another through a global"
for _ in 1 2 3 4 5 6 7 8 9 10; do gives 0 $one && cmp -s out first || { false; break; }; done; check "the same experiment is the same each time"
test ! -e result.txt; check "what faulty runs write does not reach the disk"
gives 0 inject crossing.c --function=produce --experiment=dropstore:1 --format=json && asserts "assert r['outcome'] == 'sdc' and 'T0.1' in r['threads_reached'], r"
check "a store that is dropped"
cat > wake.c << 'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static void *producer(void *n) { sem_post(&ready); return n; }
int main(void) {
  pthread_t p;
  sem_init(&ready, 0, 0);
  pthread_create(&p, 0, producer, 0);
  sem_wait(&ready);
  pthread_join(p, 0);
  return 0;
}
END
gives 0 inject wake.c --experiment=lostwakeup:0 --format=json && asserts "assert r['injected'] and r['outcome'] == 'hang' and 'T0' in r['threads_reached'], r"
check "a wake-up that is lost"
gives 0 inject crossing.c --experiment=delay:3 --format=json && asserts "assert r['injected'] and r['outcome'] == 'benign' and not r['deviated'], r"
check "a thread that is late does nothing else"
gives 0 inject crossing.c --function=produce --instruction=mul --experiment=stuckat:2 --format=json && asserts "assert r['injected'], r"
check "a bit that stays"
cat > spawn.c << 'END'
#include <pthread.h>
#include <stdio.h>
static void *work(void *n) { return n; }
static int count(void) { int two = 2; return two; }
int main(void) {
  pthread_t t[64];
  int n = count();
  for (int i = 0; i < n && i < 64; ++i) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < n && i < 64; ++i) pthread_join(t[i], 0);
  return 0;
}
END
gives 0 propagate spawn.c --function=count --instruction=load --faults=bitflip --runs=100 --format=json
csv=$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)/experiments.csv
grep -q extra-thread "$csv" && grep -q missing-thread "$csv"; check "threads that only one of the runs has are noticed"
cat > blocks.c << 'END'
#include <stdlib.h>
#include <string.h>
static int *pick(int **blocks, int i) { return blocks[i]; }
int main(void) {
  int *blocks[2] = {malloc(64), malloc(64)};
  memset(blocks[0], 1, 64);
  memset(blocks[1], 1, 64);
  int *one = pick(blocks, 0);
  int sum = one[3];
  free(blocks[0]);
  free(blocks[1]);
  return sum == 0;
}
END
gives 0 propagate blocks.c --function=pick --instruction=sext --runs=256 --faults=bitflip --format=json && asserts "
f = r['stats']['faults'][0]
assert f['deviated_by_outcome']['benign'] >= 1 and f['deviated'] > 200, f"
check "another block of the same size with the same content is another block"

cat > jumps.c << 'END'
#include <stdio.h>
static int one(void) { return 1; }
static int call(int (*f)(void)) { return f(); }
int main(void) { printf("%d\n", call(one)); return 0; }
END
gives 0 propagate jumps.c --function=call --instruction=load --runs=30 --faults=bitflip --format=json && asserts "
f = r['stats']['faults'][0]
assert 20 < f['only_crash'] <= f['crash'] and f['mpfnr']['crash'] == 0, f" &&
  gives 0 report && answers "of the .* crashes no thread did anything else before"
check "a jump to nowhere: the crash itself is the deviation, and is counted apart"

cat > throws.cpp << 'END'
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thread>
struct Cost { virtual ~Cost() = default; virtual long of(int n) const { if (n % 5 == 4) throw std::runtime_error("five"); return n * 2; } };
static long work(int n) {
  auto cost = std::make_unique<Cost>();
  try { return cost->of(n); } catch (const std::exception&) { return -1; }
}
int main() {
  static long sums[2];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t) threads[t] = std::thread([t] { for (int i = 0; i < 20; ++i) sums[t] += work(t * 50 + i); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%ld %ld\n", sums[0], sums[1]);
}
END
gives 0 propagate throws.cpp --assume-deterministic --faults=none --runs=200 --format=json && asserts "$alarms"
check "C++ with exceptions and std::thread: no run without fault deviates"
gives 0 propagate throws.cpp --assume-deterministic --faults=bitflip,callcorr,stuckat --runs=20 --format=json && asserts "$honest"
check "nor does a crash or silent corruption go unnoticed"

# ---- The disk is left alone.
cat > writer.cpp << 'END'
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <string>
static void put(int file) { if (file >= 0) { (void)!write(file, "new\n", 4); close(file); } }
int main() {
  put(open("emptied", O_WRONLY | O_TRUNC));
  put(open("appended", O_WRONLY | O_APPEND));
  put(openat(AT_FDCWD, "beside", O_WRONLY | O_CREAT | O_TRUNC, 0600));
  std::ofstream("streamed") << "new\n";
  if (freopen("reopened", "w", stderr)) std::fputs("new\n", stderr);
  if (truncate("cut", 1) != 0) return 1;
  unlink("removed");
  rename("moved", "renamed");
  std::string back;
  std::ifstream("appended") >> back;
  std::ofstream lost("no/such/directory/file");
  return back == "old" && !lost ? 0 : 2;
}
END
mkdir disk && cd disk || exit 1
for name in emptied appended beside streamed reopened cut removed moved; do echo old > $name; done
before=$(ls; cat ./*)
gives 0 propagate ../writer.cpp --assume-deterministic --cflags=-std=c++20 --faults=bitflip --runs=30 --format=json &&
  asserts "assert r['stats']['faults'][0]['injected'] == 30, r" && rm out err && test "$(ls | grep -v .heddle; cat ./* )" = "$before"
check "files are as they were, however they are opened; the program sees its own"
cd ..
printf '#include <sys/stat.h>\nint main(void) { return mkdir("made", 0700); }\n' > makes.c
gives 3 propagate makes.c --assume-deterministic && says "changes directories or links: mkdir" && test ! -e made; check "a program that makes directories"

# ---- Campaigns in parts.
gives 0 propagate crossing.c --faults=bitflip --runs=300 && cut -d, -f1-8 "$HEDDLE_DIR"/runs/*propagate/experiments.csv > /dev/null
check "a campaign as text"
"$heddle" propagate crossing.c --faults=bitflip,callcorr --runs=1500 > /dev/null 2>&1 &
campaign=$!
newest() { ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1; }
# The newest campaign has kept experiments: its tables alone take less.
stored() { test "$(stat -c %s "$(newest)/experiments.sqlite-wal" 2> /dev/null || echo 0)" -gt 65536; }
until_true 60 stored; sleep 0.3; kill -9 $campaign; wait $campaign 2> /dev/null
run=$(basename "$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)")
# Each row has the time that its run took: a row that is made again has another.
rows_of() { python3 -c "import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute('SELECT id, seconds, check_value FROM experiments ORDER BY id'): print(*row)" "$1"; }
mkdir killed && cp "$HEDDLE_DIR/runs/$run"/experiments.sqlite* killed/ && rows_of killed/experiments.sqlite > before
gives 0 propagate --resume="$run" --format=json && asserts "
assert r['verdict'] == 'done' and [f['runs'] for f in r['stats']['faults']] == [1500, 1500], r['stats']"
check "a campaign that was killed goes on"
rows_of "$HEDDLE_DIR/runs/$run/experiments.sqlite" > after
test "$(wc -l < before)" -gt 20 && test "$(wc -l < before)" -lt 3000 && test "$(wc -l < after)" -eq 3000 && test -z "$(comm -23 <(sort before) <(sort after))"
check "what it had done is not done again"
"$heddle" propagate crossing.c --faults=bitflip --runs=100000 --format=json > out 2> err &
campaign=$!
last=$(newest)
running() { test "$(newest)" != "$last" && stored; }
until_true 60 running; kill -INT $campaign; wait $campaign; test $? -eq 130 && asserts "
assert r['verdict'] == 'partial' and r['reasons'][0]['code'] == 'interrupted' and 0 < r['stats']['experiments'] < 100000, r['stats']"
check "Ctrl-C keeps what there is"
counts="print(json.dumps([{n: v for n, v in f.items() if 'second' not in n} for f in r['stats']['faults']]))"
cat > straight.c << 'END'
#include <stdio.h>
#include <unistd.h>
static int square(int n) { return n * n; }
int main(void) {
  int numbers[4] = {3, 1, 4, 1};
  usleep(5000);  // time to be killed in
  numbers[0] += square(numbers[1]);
  numbers[2] -= square(numbers[3]) / 2;
  printf("%d %d\n", numbers[0], numbers[2]);
  return 0;
}
END
gives 0 propagate straight.c --faults=bitflip --runs=250 --format=json && asserts "$counts" > undisturbed
cat > on_terminal.py << 'END'
# Runs a campaign with a terminal as standard error; prints what it says of its progress.
import os, pty, re, subprocess, sys, time
mine, its = pty.openpty()
begin = time.monotonic()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=its)
os.close(its)
text = b""
while True:
    try:
        piece = os.read(mine, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
assert process.wait() == 0, text
told = [tuple(map(int, found)) for found in re.findall(rb"heddle: (\d+) of (\d+) experiments, (\d+) a second, (\d+) s left", text)]
assert len(told) >= 3 and all(wanted == 250 for _, wanted, _, _ in told), text
assert [done for done, *_ in told] == sorted({done for done, *_ in told}) and told[-1][0] <= 250, told
for done, wanted, rate, left in told:
    assert rate > 0 and rate <= 200, told  # each sleeps for five milliseconds
    assert (wanted - done) / (rate + 0.5) - 1 <= left <= (wanted - done) / max(rate - 0.5, 0.5) + 1, (done, rate, left)
END
python3 on_terminal.py "$heddle" propagate straight.c --faults=bitflip --runs=250; check "progress: how many, how fast, how long still"
LONGER=by-so-many-bytes gives 0 propagate straight.c --faults=bitflip --runs=250 --format=json && asserts "$counts" | cmp - undisturbed
check "outcomes do not depend on the environment's length, nor on earlier runs"
killed=0
begun() { test "$(newest)" != "$last" && test -s "$(newest)/experiments.sqlite-wal"; }
for _ in 1 2 3; do  # on a busy machine a campaign may be over before anybody is looked for
  last=$(newest)
  "$heddle" propagate straight.c --faults=bitflip --runs=250 --format=json > out 2> err &
  campaign=$!
  until_true 60 begun
  while kill -0 $campaign 2> /dev/null; do
    for server in $(pgrep -P $campaign); do pkill -9 -P "$server" && killed=$((killed + 1)); done
    sleep 0.05
  done
  wait $campaign || { killed=-1; break; }
  test $killed -eq 0 || break
done
test $killed -ge 0 && { test $killed -gt 0 || { echo "  nothing was killed" >&2; false; }; } && asserts "$counts" > disturbed && cmp undisturbed disturbed
check "runs that somebody kills are done again, not counted as crashes and not lost"
gives 4 propagate crossing.c --runs=100000 --faults=bitflip --time-limit=0.5 --format=json && asserts "assert r['verdict'] == 'partial' and r['reasons'][0]['code'] == 'time-limit'"
check "a campaign whose time is up is partial"

# ---- What cannot be compared.
printf '#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); return (int)t.tv_nsec == 7; }\n' > clock.c
gives 4 propagate clock.c --format=json && asserts "assert r['verdict'] == 'refused' and r['reasons'][0]['code'] == 'nondeterministic' and r['stats']['experiments'] == 0"
check "a program that reads the clock: refused"
printf '#include <unistd.h>\n#include <sys/wait.h>\nint main(void) { if (fork() == 0) _exit(0); wait(0); return 0; }\n' > forks.c
gives 3 propagate forks.c --assume-deterministic && says "starts processes"; check "a program that forks"
printf 'int main(void) { return *(volatile int *)0; }\n' > crash.c
gives 3 propagate crash.c --assume-deterministic && says "without any fault the program ends by signal 11"; check "a program that crashes by itself"
printf 'int main(int count, char **words) { return count + (words == 0) - 1; }\n' > small.c
gives 3 propagate small.c --faults=filesize && says "has a place in this program"; check "faults that have no place"
gives 0 propagate small.c --faults=bitflip,filesize --runs=5 && answers "filesize has no place"; check "one fault that has no place"
gives 2 inject small.c --experiment=bitflop:1 && says "there is no fault 'bitflop'"; check "an unknown fault"
gives 2 inject small.c --experiment=bitflip && says "is no experiment"; check "an experiment without number"
gives 2 propagate small.c --runs=0; check "no runs are wrong usage"
gives 3 propagate --resume=99 && says "there is no run 99"; check "nothing to resume"
summary
