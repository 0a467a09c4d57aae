#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What documents and help promise: links lead somewhere, commands that are shown do
# what is shown, examples are what their pages say, manual and completion know every
# option, and an installed Heddle serves a CMake project.
#
#   docs_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
export PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1

python3 "$root/tests/docs/check_docs.py" links "$root" >&2; check "links"
python3 "$root/tests/docs/check_docs.py" commands "$root" "$heddle" >&2; check "commands"
python3 "$root/tests/docs/check_help.py" "$heddle" "$root" >&2; check "help is short or begins with examples, and each of those can be run"
gives 0 manual --format=markdown && diff out "$root/docs/reference/commands.md" >&2; check "docs/reference/commands.md is up to date (heddle manual --format=markdown -o docs/reference)"
python3 "$root/tests/docs/check_workflow.py" "$heddle" "$root" >&2; check "the example for GitHub Actions"
for folder in "$root"/examples/*/; do
  test -s "$folder/README.md" && grep -q '^    \$ heddle' "$folder/README.md"; check "$folder has a page with a command"
done
mkdir links && echo 'See [this](nowhere.md) and [that](#none).' > links/a.md
test "$(python3 "$root/tests/docs/check_docs.py" links links | wc -l)" -eq 2; check "dead links are noticed"

# Every option of --help is in the manual and in the completion of each shell.
gives 0 manual && cp out manual.troff && gives 0 manual -o . && test -s heddle-check.1 && test -s heddle-trace-run.1; check "manual pages"
for shell in bash zsh fish; do
  gives 0 completion $shell && cp out completion.$shell; check "completion for $shell"
done
bash -n completion.bash; check "bash takes it"
for command in "check" "predict" "propagate" "report" "replay" "trace run" "trace export"; do
  zsh=$(grep -- "'$command')" completion.zsh) fish=$(grep -- "'__fish_seen_subcommand_from ${command##* }'" completion.fish)
  gives 0 $command --help
  for option in $(sed -nE 's/^ +(-[a-z], )?(--[a-z][a-z-]*).*/\2/p' out | sort -u); do
    sed 's/\\-/-/g' "heddle-${command// /-}.1" | grep -q -- "$option"; check "the manual of $command has $option"
    grep "\"$command\")" completion.bash | grep -q -- "$option"; check "completion of $command has $option"
    grep -q -- "'$option=*'" <<< "$zsh"; check "that of zsh, too: $command $option"
    grep -q -- " -l ${option#--}\b" <<< "$fish"; check "and that of fish: $command $option"
  done
done
for command in $("$heddle" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z+]*\) .*/\1/p'); do
  grep "^    '') choices=" completion.zsh | grep -q -- "'$command'" && grep -q -- "^complete -c heddle -n '__fish_use_subcommand' -a '$command'" completion.fish; check "the command $command in zsh and fish"
done
grep -q "'trace run') choices=.*'--memory=tso'" completion.zsh && grep -q -- "from check' -l memory -r -f -a 'sc tso pso' -d 'memory model'" completion.fish; check "choices in zsh and fish"
head -1 completion.zsh | grep -qx '#compdef heddle' && tail -1 completion.zsh | grep -qx 'compdef _heddle heddle'; check "zsh knows what it is for"
for shell in zsh fish; do
  ! command -v $shell > /dev/null || $shell -n completion.$shell; check "$shell takes it, where there is one"
done
complete_line() { # LINE: what bash offers
  bash -c '. ./completion.bash; COMP_LINE=$1; COMP_POINT=${#1}; COMPREPLY=(); compopt() { :; }; _heddle; printf "%s\n" "${COMPREPLY[@]}"' - "$1" 2> /dev/null
}
complete_line "heddle che" | grep -qx check; check "a command is completed"
complete_line "heddle check --mem" | grep -qx -- --memory=tso; check "an option with its choices"
complete_line "heddle trace ex" | grep -qx export; check "a command of a command"

# An installed Heddle, used by a project with its own compiler and with Heddle's.
build=$(dirname "$(dirname "$heddle")")
cmake --install "$build" --prefix "$work/installed" > install.log 2>&1 || tail -3 install.log >&2; check "install"
"$work/installed/bin/heddle" doctor > /dev/null; check "the installed command finds its runtime"
# The demo, in CPU time: other tests may be running.
(mkdir shown && cd shown && TIMEFORMAT='%U %S' && time HEDDLE_DIR=.heddle "$work/installed/bin/heddle" demo > ../demo.out 2>&1) 2> demo.time || tail -5 demo.out >&2; check "the demo of an installed Heddle"
awk '{ exit !($1 + $2 < 60) }' demo.time || { echo "user and system seconds: $(cat demo.time)" >&2; false; }; check "takes less than a minute"
grep -qx violated demo.out; check "finds the order that fails"
grep -q '^deadlock: ' demo.out && grep -qx found demo.out; check "predicts a deadlock"
grep -qx reproduced demo.out; check "reproduces a recorded failure"
grep -q '^outcome: sdc' demo.out && grep -q '^the error reached T0.1 from T0.0' demo.out && grep -Eq '^bitflip .*%' demo.out; check "shows where an error goes"
page=$(tail -2 demo.out | head -1)
grep -q 'report.html$' <<< "$page" && test -s "shown/$page" && python3 "$root/tests/report/check_report.py" html "shown/$page" >&2; check "and ends with a page"
mkdir project && cp "$root"/examples/01_lost_update/lost_update.c "$root"/examples/07_publication/publication.c project
cat > project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(example C)
enable_testing()
find_package(Heddle REQUIRED)
add_executable(publication publication.c)
heddle_check(publication OPTIONS --memory=tso)
heddle_check(publication NAME wrong OPTIONS --memory=pso)
add_executable(lost_update lost_update.c)
heddle_check(lost_update EXPECT violated)
CMAKE
for compiler in "$clang" "$work/installed/bin/heddle-cc"; do
  rm -rf project/build
  cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_C_COMPILER="$compiler" > cmake.log 2>&1 &&
    cmake --build project/build >> cmake.log 2>&1 || tail -5 cmake.log >&2
  check "a project with $(basename "$compiler")"
  ctest --test-dir project/build > ctest.log 2>&1
  grep -q '1/3.*heddle.publication .*Passed' ctest.log && grep -q '2/3.*wrong .*Failed' ctest.log && grep -q '3/3.*lost_update .*Passed' ctest.log || { tail -15 ctest.log >&2; false; }
  check "its tests hold and fail as they should"
  test -s project/build/heddle/runs/001-check/report.html; check "with a page each"
done

# The example with GoogleTest: one line of ctest per test, and the counterexample in its text.
cp -r "$root/examples/10_googletest" google
cmake -S google -B google/build -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_CXX_COMPILER="$work/installed/bin/heddle-c++" > cmake.log 2>&1 &&
  cmake --build google/build >> cmake.log 2>&1 || tail -5 cmake.log >&2
check "a project with GoogleTest"
ctest --test-dir google/build --output-on-failure > ctest.log 2>&1
grep -q '2/3.*Account.KeepsDeposits .*Passed' ctest.log && grep -q '3/3.*Account.IsNeverOverdrawn .*Failed' ctest.log && grep -q 'FAILS: assertion: account.balance() >= 0' ctest.log ||
  { tail -15 ctest.log >&2; false; }
check "its checks are tests"
summary
