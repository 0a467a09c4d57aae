#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: failures of free runs, recorded, explained and run again.
#
#   reproduce_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
programs=$(realpath "$(dirname "$0")/../../bench/programs")
cd "$work" || exit 1

# record SOURCE: until a run fails; the recording's place in `recording`.
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

for program in lost_update-record.c bbuf-record.c; do
  record "$programs/$program"; check "$program fails when it is recorded"
  for constraints in clap h3; do
    gives 0 reproduce "$recording" --constraints=$constraints --trials=0 --seconds=60; check "$program, $constraints: reproduced"
    answers '^reproduced'; check "$program, $constraints: says so"
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
