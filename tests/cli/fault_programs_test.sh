#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The programs that faults are injected into are what they say: ThreadSanitizer
# finds no race in them (and finds the one that is there on purpose), results are
# those of the form with one thread (which reads nothing uninitialised), and input files are what the script writes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$root/bench/programs input=$root/bench/propagate/input
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*" >&2; failed=1; }

build() { # OUTPUT PROGRAM FLAGS...
  clang-19 -g "${@:3}" -pthread "$programs/$2-fault.c" -lm -o "$work/$1"
}

same_result() { # PROGRAM INPUT FLAGS...
  build single "$1" -DTHREADS=0 -fsanitize=memory  # what is read uninitialised is not the same in every run
  "$work/single" "$input/$2" "$work/expected" 2> "$work/races" || fail "$1, one thread: $(head -3 "$work/races")"
  [ -s "$work/expected" ] || fail "$1 writes nothing"
  build threads "$1" -O1 -fsanitize=thread "${@:3}"
  for _ in 1 2 3; do
    "$work/threads" "$input/$2" > "$work/result" 2> "$work/races" || fail "$1 ${*:3}: $(head -3 "$work/races")"
    cmp -s "$work/expected" "$work/result" || fail "$1 ${*:3}: the result is not that of one thread"
  done
}

mkdir "$work/input"
"$input/generate" "$work/input"
for file in "$work"/input/*.bin; do
  cmp -s "$file" "$input/$(basename "$file")" || fail "$(basename "$file") is not what $input/generate writes"
done

for program in quicksort pca kmeans blackscholes swaptions; do same_result "$program" "$program.bin"; done
same_result pca pca.bin -DCOUNTER
same_result barrier_sum sum.bin

build racy kmeans -O1 -fsanitize=thread -DSHARED_FLAG
if "$work/racy" "$input/kmeans.bin" > "$work/result" 2> "$work/races"; then fail "kmeans -DSHARED_FLAG: no race was found"; fi
grep -q "data race" "$work/races" || fail "kmeans -DSHARED_FLAG: $(head -3 "$work/races")"

build sum locked_sum -O1 -fsanitize=thread
"$work/sum" "$input/sum.bin" > "$work/result" || fail "locked_sum"
code=0
"$work/sum" "$input/none.bin" 2> /dev/null || code=$?
[ "$code" -eq 3 ] || fail "a missing input gives exit code $code"
exit $failed
