#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: failures of free runs, recorded, explained and run again.
#
#   reproduce_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../../bench/programs")
cd "$work" || exit 1

# record PROGRAM: until a run fails; the recording's place in `recording`.
record() {
  recording=
  for _ in $(seq 40); do
    timeout -k 1 60 "$heddle" record "$1" > out 2> err
    local last
    last=$(find "$HEDDLE_DIR/runs" -maxdepth 1 -name '*-record' | sort | tail -1)
    test -e "$last/recording" || continue
    recording=$last
    return 0
  done
  return 1
}

# In most recordings the search finds the way at once, in some not in its time: five may try.
reproduced() {
  for _ in $(seq 5); do
    record "$1" || return 1
    "$heddle" reproduce "$recording" --constraints="$2" --trials=0 --seconds=10 > out 2> err && grep -q '^reproduced' out && return 0
  done
  cat err >&2
  return 1
}

for program in lost_update-record bbuf-record; do
  "$heddle" cc -g -O2 -pthread "$programs/$program.c" -o $program
  for constraints in clap h3; do
    reproduced ./$program $constraints; check "$program, $constraints: fails when it is recorded, and is reproduced"
  done
  gives 0 replay; check "$program: the schedule leads there again"
done

gives 0 reproduce "$recording" --format=json; check "with random trials"
answers '"verdict": "reproduced"'; check "the verdict in result.json"
answers '"confirmed": true'; check "the finding is confirmed"

gives 2 reproduce "$recording" --memory=pso --constraints=h3; check "the order of cores means nothing under pso"
says "h3 does not hold under pso"; check "and this is said"
gives 3 reproduce nowhere; check "no such recording"
head -c 1000 "$recording/recording" > damaged
gives 3 reproduce damaged; check "a recording that was cut"

summary
