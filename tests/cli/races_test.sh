#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle check --races: what a race finding says, when the search stops, and
# that races are looked for only on request.
#
#   races_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../check_programs")
cd "$work" || exit 1
field() { grep -c "\"$1\": $2" out; } # how many findings say so

gives 0 check "$programs/message_passing_race.c" --format=json; check "no races without --races"

gives 1 check "$programs/message_passing_race.c" --races --format=json; check "race through a relaxed flag"
test "$(field kind '"race"')" = 1 && test "$(field confirmed true)" = 1; check "one race, confirmed"
test "$(field enabled_at_once false)" = 1; check "its accesses are never enabled at once"
line_of() { grep -n "$1" "$programs/message_passing_race.c" | cut -d: -f1; }
test "$(field line "$(line_of ' data = 1;')")" = 1 && test "$(field line "$(line_of ' seen = data;')")" = 1; check "it names both places"

gives 1 check "$programs/race_hidden_by_lock_order.c" --races --format=json; check "race that a lock hides"
test "$(field enabled_at_once true)" = 1; check "its accesses can be enabled at once"

for program in message_passing_race:false race_hidden_by_lock_order:true; do
  gives 1 check "$programs/${program%:*}.c" --reduce=learn --races --format=json && test "$(field kind '"race"')" = 1 &&
    test "$(field confirmed true)" = 1 && test "$(field enabled_at_once "${program#*:}")" = 1
  check "learned threads find the race of ${program%:*}"
  grep -q "instead of learn" out; test $? = 1; check "they do so themselves: ${program%:*}"
done

cat > two_races.c <<'C'
#include <pthread.h>
static int one, two;
static void *run(void *unused) {
  one = 1;
  two = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  one = 2;
  two = 2;
  pthread_join(thread, 0);
  return 0;
}
C
gives 1 check two_races.c --races --format=json && test "$(field kind '"race"')" = 1; check "stops at the first race"
gives 1 check two_races.c --races --keep-going --format=json && test "$(field kind '"race"')" = 2; check "keeps going"
test "$(field confirmed true)" = 2; check "all are confirmed"
gives 1 check two_races.c --races --keep-going --reduce=learn --format=json && test "$(field kind '"race"')" = 2 &&
  test "$(field confirmed true)" = 2; check "learned threads find both"
summary
