#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sanitised traces and the reversibility check on real free runs. One source
# holds all programs; its first argument says which one runs.
#
#   sanitize_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
exec < /dev/null

cd "$work" || exit 1

# The example of the TraceSanitizer paper, figures 1 and 4.
cat > inc_dec.c <<'C'
#include <pthread.h>
static int arr[2];
static void *inc(void *unused) {
  (void)unused;
  arr[0] = arr[0] + 1;
  return 0;
}
static void *dec(void *unused) {
  (void)unused;
  arr[1] = arr[1] - 1;
  return 0;
}
int main(void) {
  pthread_t first, second;
  arr[0] = 3;
  arr[1] = 6;
  pthread_create(&first, 0, inc, 0);
  pthread_create(&second, 0, dec, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
C
cat > expected <<'TEXT'
object global inc_dec.c:arr := {address, thread -, index 0, size 8, valid always}
object stack T0#0 := {address, thread T0, index 0, size 8, valid [T0:<0, T0:<10]}
object stack T0#1 := {address, thread T0, index 1, size 8, valid [T0:<0, T0:<10]}
thread 0 := T0
thread 1 := T0.0
thread 2 := T0.1
T0 0 function_enter @inc_dec.c:13:0 main
T0 0 stack_object stack T0#0 = 8 @inc_dec.c:13:0 main
T0 0 stack_object stack T0#1 = 8 @inc_dec.c:13:0 main
T0 0 store global inc_dec.c:arr 4 = 3 @inc_dec.c:15:10 main
T0 1 store global inc_dec.c:arr+4 4 = 6 @inc_dec.c:16:10 main
T0 2 store stack T0#0 8 = T0.0 model @inc_dec.c:17:3 main
T0 3 thread_create = T0.0 @inc_dec.c:17:3 main
T0 4 local_value size=4 = 0 @inc_dec.c:17:3 main
T0 4 store stack T0#1 8 = T0.1 model @inc_dec.c:18:3 main
T0 5 thread_create = T0.1 @inc_dec.c:18:3 main
T0 6 local_value size=4 = 0 @inc_dec.c:18:3 main
T0 6 load stack T0#0 8 = T0.0 @inc_dec.c:19:16 main
T0 7 thread_join = T0.0 @inc_dec.c:19:3 main
T0 8 local_value size=4 = 0 @inc_dec.c:19:3 main
T0 8 load stack T0#1 8 = T0.1 @inc_dec.c:20:16 main
T0 9 thread_join = T0.1 @inc_dec.c:20:3 main
T0 10 local_value size=4 = 0 @inc_dec.c:20:3 main
T0 10 stack_object_end stack T0#0 = 8 @inc_dec.c:13:0 main
T0 10 stack_object_end stack T0#1 = 8 @inc_dec.c:13:0 main
T0 10 function_exit @inc_dec.c:13:0 main
T0 10 exit = 0 @inc_dec.c:20:3 main
T0.0 0 thread_start = T0 @?
T0.0 1 function_enter @inc_dec.c:5:12 inc
T0.0 1 load global inc_dec.c:arr 4 = 3 @inc_dec.c:5:12 inc
T0.0 2 local_value size=4 = 4 @inc_dec.c:5:19 inc
T0.0 2 store global inc_dec.c:arr 4 = 4 @inc_dec.c:5:10 inc
T0.0 3 function_exit @inc_dec.c:5:12 inc
T0.0 3 thread_end = 0 @?
T0.1 0 thread_start = T0 @?
T0.1 1 function_enter @inc_dec.c:10:12 dec
T0.1 1 load global inc_dec.c:arr+4 4 = 6 @inc_dec.c:10:12 dec
T0.1 2 local_value size=4 = 5 @inc_dec.c:10:19 dec
T0.1 2 store global inc_dec.c:arr+4 4 = 5 @inc_dec.c:10:10 dec
T0.1 3 function_exit @inc_dec.c:10:12 dec
T0.1 3 thread_end = 0 @?
TEXT
gives 0 trace run inc_dec.c --free --unoptimised --record=functions,branches,values -o inc_dec.trace
check "figure 4 runs"
gives 0 trace sanitize inc_dec.trace && sed 's/{address 0x[0-9a-f]*/{address/' out | diff expected - >&2
check "figure 4: objects, threads and trace"
gives 0 trace sanitize --merged --events-only inc_dec.trace && sort out > merged &&
  grep -v '^object\|^thread' expected | sort | diff - merged >&2
check "merged, it has the same lines"
gives 0 trace reversible inc_dec.trace && answers "no two dependent events can change places"
check "figure 4 is not reversible"
head -c 300 inc_dec.trace > cut.trace
gives 3 trace sanitize no_such.trace && says "no_such.trace" && silent
check "a trace that cannot be read is not passed over"
gives 3 trace reversible cut.trace
check "nor is one that breaks off"

# Threads that create threads at the same time: who is whose child is read only when it is written.
cat > families.c << 'END'
#include <pthread.h>
static void *leaf(void *unused) { return unused; }
static void *branch(void *unused) {
  pthread_t t[20];
  for (int i = 0; i < 20; ++i) pthread_create(&t[i], 0, leaf, 0);
  for (int i = 0; i < 20; ++i) pthread_join(t[i], 0);
  return unused;
}
int main(void) {
  pthread_t t[20];
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 20; ++i) pthread_create(&t[i], 0, branch, 0);
    for (int i = 0; i < 20; ++i) pthread_join(t[i], 0);
  }
}
END
families=0
for run in 1 2 3 4 5 6 7 8; do
  gives 0 trace run families.c --free -o families.trace && gives 0 trace validate families.trace && families=$((families + 1))
done
test $families -eq 8; check "four thousand threads of two hundred families, eight times"

cat > many.c <<'C'
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static long sum, flag, row, rows[16], results[4];
static long *blocks[4];
// An order-dependent sum under a lock.
static void *accumulate(void *me) {
  pthread_mutex_lock(&mutex);
  sum = sum * 3 + (long)me;
  pthread_mutex_unlock(&mutex);
  return 0;
}
// The same, in turns between barriers.
static void *in_turn(void *me) {
  for (long turn = 0; turn < 4; ++turn) {
    if (turn == (long)me) sum = sum * 3 + turn;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}
// Rows from a counter, as Phoenix' pca takes them.
static void *take_rows(void *me) {
  (void)me;
  for (;;) {
    pthread_mutex_lock(&mutex);
    long mine = row < 16 ? row++ : -1;
    pthread_mutex_unlock(&mutex);
    if (mine < 0) return 0;
    rows[mine] = mine * mine;
  }
}
// All set the flag to the same value, as in kmeans.
static void *set_flag(void *me) {
  results[(long)me] = (long)me;
  flag = 1;
  return 0;
}
static void *set_own(void *me) {
  flag = (long)me;
  return 0;
}
// Locals and blocks of ended threads and calls are used again.
static void fill(long *place, long value) { memset(place, (int)value, 64); }
static long call(long value) {
  long local[8];
  fill(local, value);
  return local[3];
}
static void *use_memory(void *me) {
  long number = (long)me, total = 0;
  for (int i = 0; i < 4; ++i) total += call(number + i);
  long *block = malloc(64);
  fill(block, number);
  total += block[1];
  free(block);
  blocks[number] = malloc(64);
  fill(blocks[number], number);
  results[number] = total;
  return 0;
}
// A function that Heddle knows nothing of, while others run.
static void *use_library(void *me) {
  struct lconv *facts = localeconv();
  results[(long)me] = facts->int_frac_digits;
  return 0;
}
static void in_parallel(void *(*work)(void *)) {
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
}
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  pthread_barrier_init(&barrier, 0, 4);
  if (!strcmp(what, "accumulate")) in_parallel(accumulate);
  if (!strcmp(what, "in_turn")) in_parallel(in_turn);
  if (!strcmp(what, "take_rows")) in_parallel(take_rows);
  if (!strcmp(what, "set_flag")) in_parallel(set_flag);
  if (!strcmp(what, "set_own")) in_parallel(set_own);
  if (!strcmp(what, "use_library")) in_parallel(use_library);
  if (!strcmp(what, "use_memory")) {
    for (int round = 0; round < 3; ++round) {
      in_parallel(use_memory);
      for (int i = 0; i < 4; ++i) free(blocks[i]);
    }
  }
  return 0;
}
C
traced() { gives 0 trace run many.c --free --unoptimised -o many.trace -- "$1"; }

traced accumulate && gives 1 trace reversible many.trace && answers "came before" && answers "global many.c:sum" &&
  answers "many.c:12" && answers "> T0"
check "a sum under a lock is reversible, with evidence"
traced in_turn && gives 0 trace reversible many.trace
check "one between barriers is not"
traced take_rows && gives 1 trace reversible many.trace && answers "global many.c:row"
check "rows from a counter are reversible, with evidence"
traced set_flag && gives 0 trace reversible many.trace
check "writes of the same value are not dependent"
traced set_own && gives 1 trace reversible many.trace && answers "store global many.c:flag"
check "writes of different values are"
traced use_library && valid many.trace && gives 4 trace reversible many.trace && answers "code without bitcode may touch memory" &&
  answers "use_library)"
check "code without bitcode in several threads is refused"

# Memory used again is no conflict, a thread's start never comes before its
# creation, and the sanitised events are the same in every run.
for i in 1 2 3 4 5 6 7 8 9 10; do
  traced use_memory && gives 0 trace reversible many.trace && gives 0 trace sanitize --events-only many.trace &&
    { test $i -gt 1 || cp out first; } && cmp -s out first
  check "memory that is used again, run $i"
done
answers "load stack T0.3#3+24" && answers "store heap T0.3#1+8" && answers "free heap T0.3#1" && answers "T0.11 .* load heap T0.11#0+8"
check "every use has a name of its own"
gives 0 trace sanitize many.trace && answers "^thread 12 := T0.11$" && test "$(grep -c ':= T0' out)" -eq 13
check "every thread is in the map"

# The same with the C++ library: blocks that one thread allocates and another frees.
cat > threads.cpp <<'C'
#include <numeric>
#include <thread>
#include <vector>
int main() {
  std::vector<long> sums(6);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++)
    threads.emplace_back([&sums, i] {
      std::vector<long> own(20);
      std::iota(own.begin(), own.end(), i);
      for (long one : own) sums[i] += one;
    });
  for (auto &thread : threads) thread.join();
}
C
for i in 1 2 3 4 5; do
  gives 0 trace run threads.cpp --free --unoptimised --record=values -o threads.trace && gives 0 trace reversible threads.trace &&
    gives 0 trace sanitize --events-only threads.trace && { test $i -gt 1 || cp out first; } && cmp -s out first
  check "threads of the C++ library, run $i"
done

# Values that do not fit one record have one for each part, in every run the same.
cat > wide.c <<'C'
typedef int four __attribute__((vector_size(16)));
struct pair { long first; int *second; };
static int cell;
static four add(four a, four b) { return a + b; }
static struct pair make(long n) { struct pair p = {n, &cell}; return p; }
static unsigned __int128 wide(unsigned long n) { return (unsigned __int128)n * n; }
static long double longer(long double x) { return x * 2; }
int main(void) {
  four sum = add((four){1, 2, 3, 4}, (four){10, 20, 30, 40});
  struct pair p = make(77);
  unsigned __int128 square = wide(~0ul);
  return sum[2] + (p.first == 77) + (square >> 64 != 0) + (longer(1.5L) == 3) - 36;
}
C
parts() { grep "$1" out | sed 's/.* = \(.*\) @.*/\1/' | paste -sd ' '; }
for i in 1 2 3; do
  gives 0 trace run wide.c --free --unoptimised --record=values -o wide.trace && gives 0 trace sanitize --events-only wide.trace &&
    { test $i -gt 1 || cp out first; } && cmp out first && test "$(parts '@wide.c:4:44 add')" = "11 22 33 44" &&
    test "$(parts '@wide.c:10:19 main')" = "77 &global wide.c:cell 77 &global wide.c:cell" && test "$(parts '@wide.c:6:78 wide')" = "1 18446744073709551614" &&
    test "$(parts '@wide.c:7:53 longer')" = "13835058055282163712 16384"
  check "vectors, structures and wide numbers, run $i"
done
summary
