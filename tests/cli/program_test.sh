#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle program deps and heddle program sites: chains of dependences, slices,
# formats, and what they say to places that are not there.
#
#   program_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
cd "$work" || exit 1

cat > small.c <<'C'
#include <stdlib.h>
static int flag, value, other;
static void check(int seen) {
  if (seen > 3)
    exit(1);
}
static int doubled(int number) { return 2 * number; }
int main(void) {
  int seen = flag;
  int twice = doubled(seen);
  if (twice == 2)
    value = 1;
  other = 5;
  check(value);
  other = 6;
  return 0;
}
C

gives 0 program deps small.c --from small.c:9 --to small.c:12 && answers 'small.c:12 may depend on small.c:9'; check "a chain"
answers '^  control .*small.c:12' && answers '^  parameter-'; check "its steps have kinds and places"
test "$(tail -1 out | grep -c 'store value')" = 1; check "it ends where it should"
gives 0 program deps small.c --from small.c:9 --to small.c:13 && answers 'small.c:13 does not depend on small.c:9'; check "no chain"
gives 0 program deps small.c --from small.c:4 --to small.c:15 && answers 'may depend'; check "what follows a call that may exit"
gives 0 program deps small.c --from doubled --to check && answers 'check may depend on doubled'; check "functions by name"
gives 0 program deps small.c --from small.c:12:11 --to small.c:14 && answers traced-memory; check "through memory, by column"

gives 0 program deps small.c --to small.c:12 && answers 'small.c:9:14 ' && ! answers 'small.c:15:'; check "all that a place depends on"
gives 0 program deps small.c --from small.c:9 && answers 'small.c:12:11 ' && ! answers 'small.c:13:'; check "all that depends on a place"

gives 0 program deps small.c && answers ' nodes, ' && answers ' control$' && answers 'table of '; check "summary"
gives 0 program deps small.c --format=json && python3 - <<'P'
import json
answer = json.load(open("out"))
assert answer["schema"] == 1 and answer["nodes"] > 20 and answer["edges"]["control"] > 3, answer
P
check "summary as JSON"
gives 0 program deps small.c --from small.c:9 --to small.c:12 --format=json && python3 - <<'P'
import json
answer = json.load(open("out"))
chain = answer["chain"]
assert answer["depends"] and chain[0]["kind"] is None and chain[0]["place"]["line"] == 9, answer
assert chain[-1]["kind"] == "control" and chain[-1]["place"] == {"file": "small.c", "line": 12, "column": 11, "function": "main"}, chain
P
check "chain as JSON"
gives 0 program deps small.c --from small.c:9 --to small.c:13 --format=json && answers '"depends": false'; check "no chain as JSON"
gives 0 program deps small.c --from small.c:9 --to small.c:12 --format=dot && answers '^digraph' && answers ' -> n'; check "chain as DOT"
gives 0 program deps small.c --format=dot && test "$(grep -c ' -> ' out)" -gt 20; check "graph as DOT"
gives 0 program deps small.c && cp out first && gives 0 program deps small.c && diff <(grep -v ' s$' first) <(grep -v ' s$' out) > /dev/null
check "the same twice"

gives 3 program deps small.c --from nowhere && says 'no function nowhere' && silent; check "no such function"
gives 3 program deps small.c --from small.c:99 --to main && says 'no code at small.c:99'; check "no such line"
gives 3 program deps missing.c; check "no such program"
gives 2 program deps small.c --format=svg; check "no such format"
gives 2 program; check "no command"

gives 0 program sites small.c && grep -qE '^ +[0-9]+  store value +small.c:12:11 +main +value$' out; check "sites"
gives 0 program sites small.c --format=json && python3 - <<'P'
import json
sites = json.load(open("out"))["sites"]
numbers = [site["site"] for site in sites]
assert numbers == sorted(set(numbers)) and any(s["kind"] == "call exit" and s["line"] == 5 for s in sites), sites
P
check "sites as JSON"

# The numbers are those of traces.
gives 0 trace run small.c -o small.trace && "$heddle" trace dump --raw small.trace > raw
gives 0 program sites small.c
number=$(awk '/store other/ && /small.c:13:/ { print $1 }' out)
test -n "$number" && grep -q "^site $number \"small.c\":13:" raw; check "sites have the numbers of traces"

example=$("$heddle" program deps --help | sed -n 's/^  heddle //p')
(cd "$root" && eval "timeout 60 $heddle $example") > out 2> err && answers 'may depend'; check "the example of the help works"

cat > chance.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static char buffer[64];
static uint64_t mix(uint64_t bits) { return bits * 31; }
int main(void) {
  uint64_t hash = mix((uint64_t)buffer);
  long distance = &buffer[9] - &buffer[1];
  srand((unsigned)time(0));
  printf("%d %p %ld\n", rand(), (void *)buffer, distance);
  printf("%d%% %ld\n", 5, (long)getpid());
  int device = open("/dev/urandom", O_RDONLY);
  pthread_t self = pthread_self();
  pthread_detach(pthread_self());
  return device + (hash == self);
}
C
cat > expected <<'TEXT'
chance.c:9:50 mix: an address in arithmetic (addresses differ from run to run)
chance.c:13:19 main: time (reads a clock)
chance.c:14:3 main: printf of a pointer (addresses differ from run to run)
chance.c:14:25 main: rand (draws from a state that all threads share)
chance.c:15:33 main: getpid (asks for an identity that differs from run to run)
chance.c:16:16 main: open of /dev/urandom (draws a random number)
chance.c:17:20 main: pthread_self (asks for an identity that differs from run to run)
TEXT
gives 0 program nondeterminism chance.c && diff expected out >&2; check "where runs may differ whatever the schedule"
gives 0 program nondeterminism small.c && silent; check "nothing where nothing is"
summary
