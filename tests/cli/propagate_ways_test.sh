#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle inject on programs whose errors go known ways: through which object, call or
# result they cross threads, how long they take, what they reach, how they end. And
# that an experiment is the same one however the threads are timed.
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
cd "$work" || exit 1

# asserts CODE: Python over the answer as `r`.
asserts() { python3 -c "import json; r = json.load(open('out'))
deviations = {d['thread']: d for d in r.get('first_deviation', [])}
crossings = {c['to']: c for c in r.get('crossings', [])}
$1" || { head -c 1500 out >&2; return 1; }; }

# ---- Ways from thread to thread.
cat > wake.c << 'END_OF_C'
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
END_OF_C
gives 0 inject wake.c --experiment=lostwakeup:0 --format=json && says "silent data corruption cannot be seen" && asserts "
assert r['outcome'] == 'hang' and r['reason'] == 'all threads sleep', r
assert crossings == {'T0': {'to': 'T0', 'from': 'T0.0', 'through': 'global wake.c:ready', 'by': 'sem_wait'}}, crossings
d = deviations['T0']
assert list(deviations) == ['T0'] and d['kind'] == 'blocked' and d['place'] == 'wake.c:9:3' and d['function'] == 'main' and d['index'] < 30, d
assert [e['kind'] for e in r['propagation']['events']] == ['fault', 'blocked'], r['propagation']"
check "a post that is lost: the waiting thread, the semaphore, and who should have posted"

cat > chain.c << 'END_OF_C'
#include <pthread.h>
#include <semaphore.h>
static sem_t a, b;
static void *first(void *n) { sem_wait(&a); sem_post(&b); return n; }
static void *second(void *n) { sem_wait(&b); return n; }
int main(void) {
  pthread_t p, q;
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_create(&p, 0, first, 0);
  pthread_create(&q, 0, second, 0);
  sem_post(&a);
  pthread_join(q, 0);
  pthread_join(p, 0);
  return 0;
}
END_OF_C
gives 0 inject chain.c --function=main --experiment=lostwakeup:0 --format=json && asserts "
assert crossings['T0.0']['from'] == 'T0' and crossings['T0.0']['through'] == 'global chain.c:a', crossings
assert crossings['T0.1']['from'] == 'T0.0' and crossings['T0.1']['through'] == 'global chain.c:b', crossings
assert deviations['T0']['place'] == 'chain.c:13:3' and deviations['T0.1']['time'] > deviations['T0.0']['time'], deviations"
check "threads that wait for one that waits"

cat > join.c << 'END_OF_C'
#include <pthread.h>
#include <stdio.h>
static long five(void) { long a = 5; return a; }
static void *other(void *unused) { return unused; }
static void *work(void *unused) { return (void *)five(); }
int main(void) {
  pthread_t p, q;
  void *result, *nothing;
  pthread_create(&p, 0, work, 0);
  pthread_create(&q, 0, other, 0);
  pthread_join(p, &result);
  pthread_join(q, &nothing);
  printf("%ld\n", (long)result);
  return nothing != 0;
}
END_OF_C
gives 0 inject join.c --function=five --experiment=bitflip:0 --format=json && asserts "
assert r['outcome'] == 'sdc' and r['reason'] == 'standard output is another one', r
assert crossings == {'T0': {'to': 'T0', 'from': 'T0.0', 'through': 'result of pthread_join'}}, crossings
assert r['objects'] == ['stack T0 main:result'], r['objects']
times = [e['time'] for e in r['propagation']['events']]
assert [e['kind'] for e in r['propagation']['events']] == ['fault', 'value', 'corrupts', 'value'] and times == [0, 1, 2, 3], r['propagation']"
check "an error that is the result of a thread: who joins it has it from there"
cat > c11.c << 'END_OF_C'
#include <stdio.h>
#include <threads.h>
static int triple(void *n) { return *(int *)n * 3; }
int main(void) {
  thrd_t thread;
  int n = 4, result;
  thrd_create(&thread, triple, &n);
  thrd_join(thread, &result);
  printf("%d\n", result);
  return 0;
}
END_OF_C
gives 0 inject c11.c --function=triple --instruction=mul --experiment=bitflip:0 --format=json && asserts "
assert crossings['T0']['from'] == 'T0.0' and crossings['T0']['through'] == 'result of pthread_join' and r['objects'] == ['stack T0 main:result'], r"
check "likewise with C11 threads"

cat > counter.c << 'END_OF_C'
#include <pthread.h>
#include <stdio.h>
static int sum;
static int same(int n) { return n + 0; }
static void *first(void *n) { sum = same(*(int *)n); return 0; }
static void *second(void *unused) { sum = sum + 1; return unused; }
static void *skips(void *n) { if (*(int *)n == 7) sum += 2; return 0; }
int main(void) {
  pthread_t p;
  int n = 7;
  void *(*steps[])(void *) = {first, second, skips};
  for (int i = 0; i < 3; ++i) {
    pthread_create(&p, 0, steps[i], i == 1 ? 0 : &n);
    pthread_join(p, 0);
  }
  printf("%d\n", sum);
  return 0;
}
END_OF_C
gives 0 inject counter.c --function=same --instruction=add --experiment=bitflip:1 --format=json && asserts "
assert crossings['T0.1']['from'] == 'T0.0' and crossings['T0.1']['through'] == 'global counter.c:sum', crossings
assert crossings['T0.2']['from'] == 'T0.1' and crossings['T0']['from'] == 'T0.2', crossings"
check "who reads and writes again passes it on"
gives 0 inject counter.c --function=skips --instruction=icmp --experiment=bitflip:0 --format=json && asserts "
assert crossings['T0']['from'] == 'T0.2' and crossings['T0']['through'] == 'global counter.c:sum' and r['objects'] == [], (crossings, r['objects'])"
check "what was not written crosses, too"

# ---- How far, and what is reached.
cat > known.c << 'END_OF_C'
#include <stdio.h>
static int source(int n) { return n + 1; }
static int masked(int n) { return n & 1; }
static int used(int n) { return n * 2; }
static int apart(int n) { return n - 3; }
int main(void) {
  int kept = source(4);
  int other = apart(9);
  int hidden = masked(kept);
  printf("%d %d\n", used(kept) > 100, hidden + other);
  return 0;
}
END_OF_C
# The add is used by the return of source: what main gets, its store, and so on.
gives 0 inject known.c --function=source --instruction=add --experiment=bitflip:0 --format=json && asserts "
d = deviations['T0']
assert r['deviated'] and r['instructions_until_deviation'] == 1 == d['index'] - r['index'], r
assert d['instruction'] == 'call' and d['function'] == 'main' and d['place'] == 'known.c:7:14', d
assert set(r['functions']) == {'main', 'masked', 'used'}, r['functions']"
check "instructions until the deviation and functions are those of the program"
cat > masks.c << 'END_OF_C'
#include <stdio.h>
static int none(int n) { return n & 0; }
int main(void) { printf("%d\n", none(7)); return 0; }
END_OF_C
gives 0 inject masks.c --function=none --instruction=load --experiment=bitflip:0 --format=json && asserts "
assert r['injected'] and r['outcome'] == 'benign' and not r['deviated'] and r['first_deviation'] == [] and r['functions'] == [], r
assert [e['kind'] for e in r['propagation']['events']] == ['fault'], r['propagation']"
check "a fault that is masked does not deviate"
cat > meets.c << 'END_OF_C'
#include <stdio.h>
static int odd(int n) { return n % 2 == 1; }
int main(void) {
  int left = 0, right = 0;
  for (int i = 0; i < 6; ++i) {
    if (odd(i)) left += i; else right += i;
  }
  printf("%d %d\n", left, right);
  return 0;
}
END_OF_C
gives 0 inject meets.c --function=odd --instruction=icmp --experiment=bitflip:0 --format=json && asserts "
d = deviations['T0']
assert r['outcome'] == 'sdc' and d['divergences'] == d['rejoined'] == 1, d"
check "a thread that goes another way once is found again once"
gives 0 inject meets.c --function=odd --instruction=icmp --experiment=stuckat:2 --format=json && asserts "
d = deviations['T0']
assert d['divergences'] == d['rejoined'] == 3, d"
check "and several times"

# ---- How runs end.
cat > loops.c << 'END_OF_C'
#include <stdio.h>
static int three(void) { int n = 3; return n; }
int main(void) {
  long sum = 0;
  const int n = three();
  for (unsigned i = 0; i != (unsigned)n; ++i) sum += i;
  printf("%ld\n", sum);
  return 0;
}
END_OF_C
gives 0 propagate loops.c --faults=bitflip --function=three --instruction=load --runs=64 --format=json
csv=$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)/experiments.csv
python3 - "$csv" << 'END_OF_PYTHON'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
work = min(int(row["instructions"]) for row in rows)  # bits that leave less to do, or the same
for row in rows:
    bit = int(row["detail"].split()[1])
    # Each turn of the loop takes more than five values: from bit 12 on the run is over ten times as long.
    if bit >= 12:
        assert row["outcome"] == "hang" and row["reason"].startswith("ten times"), row
        assert 10_000 < int(row["instructions"]) < 14_000, row  # such a short run may spend 10,000 values
    if bit in (0, 1, 2, 3):
        assert row["outcome"] == "sdc", row
assert {row["outcome"] for row in rows} == {"sdc", "hang"}, rows
END_OF_PYTHON
check "a loop of four thousand turns in place of three is a hang, one of eleven is none"
cat > detects.c << 'END_OF_C'
#include <stdio.h>
static int check(int n) { return n * 2; }
int main(void) {
  if (check(21) != 42) {
    puts("wrong");
    return 9;
  }
  puts("right");
  return 0;
}
END_OF_C
gives 0 inject detects.c --function=check --instruction=mul --experiment=bitflip:0 --format=json && asserts "
assert r['outcome'] == 'detected' and r['reason'] == 'exit code 9 instead of 0' and r['deviated'], r"
check "a program that notices"
cat > leaves_out.c << 'END_OF_C'
#include <stdio.h>
static int want(void) { int w = 1; return w; }
int main(void) {
  if (want() != 1) return 0;
  FILE *f = fopen("result.txt", "w");
  fputs("hi\n", f);
  fclose(f);
  return 0;
}
END_OF_C
gives 0 inject leaves_out.c --function=want --instruction=load --experiment=bitflip:0 --format=json && ! says "cannot be seen" &&
  asserts "assert r['outcome'] == 'sdc' and r['reason'] == 'result.txt was not written', r"
check "a file that is missing is named"
cat > makes.c << 'END_OF_C'
#include <stdio.h>
#include <sys/stat.h>
static int zero(void) { int a = 0; return a; }
int main(void) {
  if (zero()) mkdir("made", 0700);
  puts("done");
  return 0;
}
END_OF_C
gives 0 inject makes.c --function=zero --instruction=load --experiment=bitflip:0 --format=json && test ! -e made &&
  asserts "assert r['outcome'] == 'refused' and r['reason'] == 'the program changes directories or links: mkdir' and r['deviated'], r"
check "what only the faulty run asks for is refused, and no hang"
gives 0 propagate makes.c --assume-deterministic --function=zero --instruction=load --faults=bitflip --runs=8 && answers "refused" && answers "r refused"
check "and counted apart"

# ---- More than one bit.
gives 0 inject known.c --function=source --instruction=add --experiment=bitflip:3 --bits=5 --format=json && cp out five && asserts "
bits = r['detail'].split()
assert bits[0] == 'bits' and len(set(bits[1:])) == 5 and all(0 <= int(b) < 32 for b in bits[1:]), r['detail']
d = deviations['T0']
assert d['expected'] ^ d['actual'] == sum(1 << int(b) for b in bits[1:]), (d, bits)" &&
  gives 0 inject known.c --function=source --instruction=add --experiment=bitflip:3 --bits=5 --format=json && cmp out five
check "several bits, the same each time"
gives 0 inject known.c --function=main --instruction=icmp --experiment=bitflip:0 --bits=64 --format=json && asserts "assert r['detail'] == 'bit 0', r['detail']"
check "not more than there are"
gives 0 propagate known.c --faults=bitflip --runs=20 --bits=2 --format=json && asserts "assert r['options']['bits'] == '2'" && run=$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1) &&
  python3 -c "import csv; assert all(len(r['detail'].split()) == 3 or r['instruction'] == 'icmp' for r in csv.DictReader(open('$run/experiments.csv')))" &&
  gives 3 propagate --resume="$(basename "$run")" --bits=3 && says "of another campaign"
check "a campaign with two bits is not one with three"
gives 2 inject known.c --experiment=bitflip:0 --bits=0; check "no bits are wrong usage"

# ---- The same experiment, however threads are timed.
cat > parallel.c << 'END_OF_C'
#include <pthread.h>
#include <stdio.h>
#define THREADS 4
static pthread_barrier_t begin;
static unsigned sums[THREADS];
static unsigned step(unsigned n) { return n * 1103515245u + 12345u; }
static void *work(void *given) {
  unsigned *sum = given, n = (unsigned)(sum - sums);
  pthread_barrier_wait(&begin);
  for (int i = 0; i < 200; ++i) *sum += (n = step(n)) >> 16;
  return 0;
}
int main(void) {
  pthread_t threads[THREADS];
  unsigned all = 0;
  pthread_barrier_init(&begin, 0, THREADS);
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], 0, work, &sums[i]);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; ++i) all ^= sums[i];
  printf("%u\n", all);
  return 0;
}
END_OF_C
"$heddle" cc -g -O0 -pthread parallel.c -o parallel
again() { # arguments of heddle inject
  gives 0 inject --format=json "$@" && cp out first && asserts "assert r['injected'] and r['deviated'] and r['thread'] != 'T0', r" || return 1
  for _ in 1 2 3 4 5 6 7 8 9 10; do gives 0 inject --format=json "$@" && cmp out first || return 1; done
}
again parallel --thread=T0.2 --function=step --instruction=mul --experiment=bitflip:5
check "four threads in parallel: a fault in one of them is the same ten times"
again parallel --thread=T0.3 --function=step --instruction=add --experiment=stuckat:1
check "likewise one that stays"
"$heddle" cc -g -O0 -pthread "$root/bench/programs/quicksort-fault.c" -lm -o quicksort
again quicksort --thread=T0.13.1 --instruction=load --experiment=bitflip:2 -- "$root/bench/propagate/input/quicksort.bin"
check "a fault in a worker of quicksort, which others create beside it, is the same ten times"
points() { python3 -c "import csv, sys
for r in csv.DictReader(open(sys.argv[1])): print(*(r[n] for n in ('id', 'thread', 'index', 'place', 'detail', 'outcome', 'reason', 'deviated', 'instructions_until_deviation')))" "$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)/experiments.csv"; }
for i in 1 2 3; do
  gives 0 propagate quicksort --faults=bitflip --runs=60 --assume-deterministic -- "$root/bench/propagate/input/quicksort.bin" && points > "points$i" && test "$(wc -l < "points$i")" -eq 60 && cmp points1 "points$i"
  check "points and outcomes of a campaign whose threads create threads, campaign $i"
done
rows() { python3 -c "import csv, sys; [print([v for n, v in r.items() if n != 'seconds']) for r in csv.DictReader(open(sys.argv[1]))]" "$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)/experiments.csv"; }
# Numbers only: a wrong address may let threads race with each other, and then what they do differs.
gives 0 propagate parallel --function=step --faults=bitflip,callcorr --runs=60 && rows > one &&
  gives 0 propagate parallel --function=step --faults=bitflip,callcorr --runs=60 --jobs=2 && rows > two
test "$(wc -l < one)" -eq 120 && cmp one two; check "two workers do the same experiments as one"

# ---- Points are drawn alike from all dynamic instructions.
cat > uniform.c << 'END_OF_C'
#include <stdio.h>
static int twice(int n) { return n + n; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += twice(i);
  printf("%d\n", sum);
  return 0;
}
END_OF_C
gives 0 propagate uniform.c --function=twice --instruction=add --faults=bitflip --runs=2000 --seed=5 --format=json
python3 - "$(ls -d "$HEDDLE_DIR"/runs/*-propagate | tail -1)/experiments.csv" << 'END_OF_PYTHON'
import collections, csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
for what, many, most in (("index", 10, 27.9), ("detail", 32, 61.1)):  # chi-square of 9 and 31 degrees: 1 in 1,000
    counts = collections.Counter(row[what] for row in rows)
    expected = len(rows) / many
    off = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == many and off < most, (what, len(counts), off)
END_OF_PYTHON
check "each of ten turns of a loop is hit as often, and each bit"
summary
