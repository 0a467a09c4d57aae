#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heddle reproduce: the same bug beside another primitive of synchronisation (timed,
# recursive, futex, one-time initialisation, waits of C++20) takes at most twice the runs that it
# takes beside the plain one.
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

# compare PLAIN FORM...   The plain form counts with the most of five recordings: in some a thread
# came too late to have to wait. Of the others two of at most five recordings have to do: a wait of C++20 looks at its
# word for a while before it sleeps, and a recording that caught it there has a longer path than any of the plain form.
compare() {
  local plain=0
  for _ in 1 2 3 4 5; do
    runs_of "$1" && test "$runs" -gt "$plain" && plain=$runs
  done
  test "$plain" -gt 0; check "$1 is reproduced"
  shift
  for form in "$@"; do
    local few=0 seen=
    for _ in 1 2 3 4 5; do
      runs_of "$form" && test "$runs" -le $((2 * plain)) && few=$((few + 1))
      seen="$seen ${runs:-none}"
      test "$few" -eq 2 && break
    done
    test "$few" -eq 2; check "$form: runs of each recording:$seen; the plain form: $plain"
  done
}

compare MUTEX TIMED_MUTEX RECURSIVE_MUTEX SEMAPHORE TIMED_SEMAPHORE STD_SEMAPHORE FUTEX_LOCK ONCE
compare RWLOCK TIMED_RWLOCK WRITER_RWLOCK
compare CONDITION TIMED_CONDITION FUTEX ATOMIC_WAIT LATCH STD_BARRIER COUNTING_SEMAPHORE
summary
