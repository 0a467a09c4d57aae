#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whole projects with their own build systems: each is built by clang and by
# heddle, runs natively with the same output, runs under control with each
# strategy on both carriers, and every schedule replays to an equal trace.
#
#   projects_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
bin=$(dirname "$heddle")
projects=$(realpath "$(dirname "$0")/../projects")
unset CC CXX CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS

# run_and_replay NAME PROGRAM WANTED HEDDLE-OPTIONS...: one controlled run with
# the output WANTED, its trace valid, its replay equal in trace and output.
run_and_replay() {
  local name=$1 program=$2 wanted=$3
  shift 3
  rm -f run.trace run.schedule again.trace again.schedule
  timeout 120 "$heddle" trace run "$program" "$@" -o run.trace --schedule-output=run.schedule > out 2> err
  test $? -eq 0 && test "$(cat out)" = "$wanted" || { head -5 out err >&2; false; }
  check "$name: runs"
  test -f run.trace || return
  "$heddle" trace validate run.trace > out 2>&1 || { head -5 out >&2; false; }
  check "$name: trace is valid"
  timeout 120 "$heddle" trace run "$program" $(carrier_of "$@") --strategy=replay:run.schedule -o again.trace \
    --schedule-output=again.schedule > out 2> err
  test $? -eq 0 && test "$(cat out)" = "$wanted" || { head -5 out err >&2; false; }
  check "$name: replays"
  "$heddle" trace diff run.trace again.trace > out 2>&1 || { head -5 out >&2; false; }
  check "$name: replay has an equal trace"
  cmp -s run.schedule again.schedule; check "$name: replay has the same schedule"
}

carrier_of() {
  for option in "$@"; do case $option in --carrier=*) echo "$option" ;; esac; done
}

# every_way NAME PROGRAM WANTED: default and a random schedule on each carrier, and one more on fibers.
every_way() {
  local carrier seed
  for carrier in fiber thread; do
    run_and_replay "$1, $carrier, default" "$2" "$3" --carrier=$carrier
    "$heddle" trace dump run.trace > "default.$carrier" 2> /dev/null
    for seed in 1 2; do
      test $seed$carrier != 2thread || continue
      run_and_replay "$1, $carrier, random $seed" "$2" "$3" --carrier=$carrier --strategy=random --seed=$seed
      "$heddle" trace dump run.trace > "random$seed.$carrier" 2> /dev/null
    done
  done
  for kind in default random1; do
    cmp -s $kind.fiber $kind.thread; check "$1: $kind is the same on both carriers"
  done
  ! cmp -s random1.fiber random2.fiber; check "$1: seeds give different runs"
}

cd "$work" || exit 1
cp -r "$projects" projects

# CMake, with compilers by path and with compilers of two words.
words="words 1200 distinct 7 most heddle 301"
source=projects/cmake_static_library
if command -v cmake > /dev/null; then
  CC="$clang" CXX="$clangxx" cmake -S $source -B by_clang > log 2>&1 && cmake --build by_clang >> log 2>&1
  check "CMake project builds with clang"
  test "$(by_clang/wordcount)" = "$words"; check "CMake project by clang prints what its README says"

  cmake -S $source -B by_path -DCMAKE_C_COMPILER="$bin/heddle-cc" -DCMAKE_CXX_COMPILER="$bin/heddle-c++" \
    -DWORDCOUNT_WARNINGS=ON > log 2>&1 && cmake --build by_path >> log 2>&1 || { tail -5 log >&2; false; }
  check "CMake project builds with heddle-cc and heddle-c++"
  CC="$heddle cc" CXX="$heddle c++" cmake -S $source -B by_words -DCMAKE_BUILD_TYPE=Debug -DWORDCOUNT_SHARED_FORMAT=OFF \
    > log 2>&1 && cmake --build by_words >> log 2>&1 || { tail -5 log >&2; false; }
  check "CMake project builds with CC='heddle cc', for debugging, without its shared library"
  cmp -s by_clang/config.h by_path/config.h; check "CMake's checks give the same answers"
  for how in by_path by_words; do
    has_bitcode $how/wordcount; check "$how: program keeps its bitcode"
    test "$($how/wordcount)" = "$words"; check "$how: same output as by clang"
    test "$($how/wordcount 7 5)" = "$(by_clang/wordcount 7 5)"; check "$how: same output with arguments"
    (cd $how && ctest > ../log 2>&1); check "$how: ctest"
  done
  test "$("$heddle" trace run by_path/wordcount -- --version 2> /dev/null)" = "$(by_clang/wordcount --version)"
  check "CMake project: arguments reach the program under control"
  for carrier in fiber thread; do
    run_and_replay "CMake project, $carrier" by_path/wordcount "$words" --carrier=$carrier --strategy=random --seed=1
    "$heddle" trace dump run.trace > "random1.$carrier" 2> /dev/null
  done
  cmp -s random1.fiber random1.thread; check "CMake project: the same on both carriers"
  run_and_replay "CMake project for debugging" by_words/wordcount "$words" --strategy=random --seed=5
  run_and_replay "CMake project, pct" by_path/wordcount "$words" --strategy=pct --seed=6
else
  echo "cmake is missing: its project is left out" >&2
fi

# configure and make, in the source tree and beside it.
sum="sum 332833500 threads 4 root 18243.7"
mkdir make_clang && (cd make_clang && CC="$clang" ../projects/configure_make/configure && make) > log 2>&1
check "configure project builds with clang"
test "$(make_clang/squares)" = "$sum"; check "configure project by clang prints what its README says"
mkdir make_beside && (cd make_beside && CC="$heddle cc" ../projects/configure_make/configure && make && make check) \
  > log 2>&1 || { tail -5 log >&2; false; }
check "configure project builds beside its sources"
(cd projects/configure_make && CC="$heddle cc" ./configure && make -j2 && make check) > log 2>&1 || { tail -5 log >&2; false; }
check "configure project builds in its source tree"
cmp -s make_clang/config.h make_beside/config.h; check "configure gives the same answers"
for how in make_beside projects/configure_make; do
  has_bitcode $how/squares; check "$how: program keeps its bitcode"
  test "$($how/squares)" = "$sum"; check "$how: same output as by clang"
  test "$($how/squares 70 2)" = "$(make_clang/squares 70 2)"; check "$how: same output with arguments"
done
every_way "configure project" projects/configure_make/squares "$sum"
(cd make_beside && make clean > ../log 2>&1 && make CFLAGS="-O3 -flto" >> ../log 2>&1)
check "configure project builds with -O3 -flto"
run_and_replay "configure project with -O3 -flto" make_beside/squares "$sum" --strategy=random --seed=4
(cd make_beside && make install DESTDIR="$work/installed" >> ../log 2>&1)
run_and_replay "installed program" "$(find installed -name squares)" "$sum" --strategy=random --seed=4

summary
