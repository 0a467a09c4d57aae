#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: the same bug beside another primitive of synchronisation (timed,
# recursive, futex, one-time initialisation) takes at most twice the runs that it takes beside
# the plain one; beside waits of C++20, which look at the word for many rounds before they
# sleep, at most three times.
#
#   reproduce_primitives_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
program=$(realpath "$(dirname "$0")/reproduce_primitives.cpp")
cd "$work" || exit 1

# runs_of FORM: recorded until it fails, and reproduced; how many runs that took is left in `runs`.
runs_of() {
  runs=
  "$heddle" c++ -std=c++20 -g -O2 -pthread "-D$1" "$program" -o "$1" 2> err || { head -3 err >&2; return 1; }
  local recording=
  for _ in $(seq 150); do
    timeout -k 1 60 "$heddle" record "./$1" > out 2> err
    recording=$(find "$HEDDLE_DIR/runs" -maxdepth 1 -name '*-record' | sort | tail -1)
    test -e "$recording/recording" && break
    recording=
  done
  test -n "$recording" || return 1
  gives 0 reproduce "$recording" --seconds=60 --format=json < /dev/null && answers '"follows_paths": true' || return 1
  runs=$(sed -n 's/.*"executions": \([0-9]*\),/\1/p' out)
}

# compare FACTOR PLAIN FORM...
compare() {
  local factor=$1
  runs_of "$2"; check "$2 is reproduced"
  local plain=${runs:-0}
  shift 2
  for form in "$@"; do
    runs_of "$form" && test "$runs" -le $((factor * plain))
    check "$form: ${runs:-no answer after many} runs, the plain form: $plain"
  done
}

compare 2 MUTEX TIMED_MUTEX RECURSIVE_MUTEX SEMAPHORE TIMED_SEMAPHORE STD_SEMAPHORE FUTEX_LOCK ONCE
compare 2 RWLOCK TIMED_RWLOCK WRITER_RWLOCK
compare 2 CONDITION TIMED_CONDITION FUTEX
compare 3 CONDITION ATOMIC_WAIT LATCH STD_BARRIER COUNTING_SEMAPHORE
summary
