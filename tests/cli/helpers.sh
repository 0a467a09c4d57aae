# SPDX-License-Identifier: Apache-2.0
#
# What the tests of the command line share. Each begins with
#
#   . "$(dirname "$0")/helpers.sh"
#
# and ends with `summary`. Sets: heddle (the binary, first argument of the test),
# clang and clangxx, work (a folder of its own, removed at the end), and a cache
# and runs of its own.
set -u
heddle=$(realpath "$1")
clang=$(command -v clang-19 || echo /usr/lib/llvm-19/bin/clang)
clangxx=$(command -v clang++-19 || echo /usr/lib/llvm-19/bin/clang++)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" HEDDLE_DIR="$work/heddle"
passed=0
failed=0

# check NAME: the last command decides.
check() {
  if [ "$?" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1" >&2
  fi
}

# gives CODE ARGUMENTS...: runs heddle, answer in out, talk in err.
gives() {
  local wanted=$1 code
  shift
  timeout -k 1 180 "$heddle" "$@" > out 2> err
  code=$?
  test $code -eq "$wanted" && return
  echo "  heddle $*: exit $code instead of $wanted: $(head -c 300 err)" >&2
  return 1
}
says() { grep -q -- "$1" err; }
answers() { grep -q -- "$1" out; }
silent() { test ! -s out; }
valid() { "$heddle" trace validate "$1" > valid.out 2>&1 || { head -3 valid.out >&2; return 1; }; }
has_bitcode() { readelf -SW "$1" 2> /dev/null | grep -q '\.heddle\.bitcode'; }

# until_true SECONDS COMMAND...
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    test $SECONDS -lt $end || return 1
    sleep 0.05
  done
}

summary() {
  echo "$passed passed, $failed failed"
  test "$failed" -eq 0
}
