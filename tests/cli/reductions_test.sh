#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What check says about how it looked: the reduction that loses states, campaigns, the
# two solvers and the questions they are asked.
#
#   reductions_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
export PYTHONDONTWRITEBYTECODE=1
cp "$root"/examples/0[1-8]*/*.c "$root"/examples/11_kinds/uncaught_exception.cpp "$work" && cd "$work" || exit 1
fact() { python3 -c 'import json, sys; value = json.load(open("out"))
for key in sys.argv[1:]: value = value[int(key) if key.isdigit() else key]
print(value)' "$@"; }

# mcr as it was published never says that a program is right, and says why.
gives 4 check --reduce=mcr-published publication.c && answers "^undecided: the published reduction is known to lose states$"; check "mcr-published does not say holds"
gives 4 check --reduce=mcr-published publication.c --format=json && test "$(fact verdict)" = undecided && test "$(fact reasons 0 code)" != "" && fact reasons 0 text | grep -q "known to lose states"
check "nor in its result"
gives 1 check --reduce=mcr-published lost_update.c && answers "^violated: the published reduction is known to lose states$"; check "what it finds is found"
gives 0 check --help && tr -s ' \n' ' ' < out | grep -q 'mcr-published: as published, known to lose states, never says "holds"'; check "the help says so, too"
# The smallest program in which it loses a state: a == 0, b == 2, c == 0.
cat > lost_state.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c;
static void *first(void *u) { a = atomic_load(&y); b = atomic_load(&y); return u; }
static void *second(void *u) { c = atomic_load(&x); atomic_store(&x, 1); return u; }
static void *third(void *u) { atomic_store(&x, 2); atomic_store(&y, 2); return u; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
  assert(!(a == 0 && b == 2 && c == 0));
}
C
for reduction in learn mcr se-mcr mcr-s+ dpor; do
  gives 1 check --reduce=$reduction lost_state.c && answers "^violated$"; check "$reduction does not lose it"
done

# A campaign says how much it saw, and whether there was still something new.
gives 4 check --search=random --executions=40 publication.c && answers "^undecided: a search looks at some executions, not at all$" &&
  answers "^40 executions (0 blocked), 2 states, " && answers "^0 of the states were new in the last quarter of the executions$"
check "the coverage of a random campaign"
gives 4 check --search=pct --executions=4 --seed=2 publication.c && answers "^4 executions " && answers "of the states were new in the last quarter"; check "of one with pct"
gives 4 check --search=random --executions=2 --seed=1 publication.c --format=json && test "$(fact stats executions)" -eq 2 && test "$(fact verdict)" = undecided; check "so many executions"

# Both solvers come to the same; only how long it took, and what the order it found first looked like, may differ.
same() { # PROGRAM OPTIONS...
  gives "$1" check --reduce=mcr --solver=native "${@:2}" --format=json && cp out native.json && gives "$1" check --reduce=mcr --solver=z3 "${@:2}" --format=json && cp out z3.json &&
    python3 - <<'PYTHON'
import json

def told(name, solver):
    result = json.load(open(name))
    assert result["options"].pop("solver") == solver
    for key in ("seconds", "cpu_seconds", "solver_seconds", "decided_without_search", "other_runs"):
        result["stats"].pop(key)
    for finding in result["findings"]:
        finding.pop("original_context_switches", None)
    return result

first, second = told("native.json", "native"), told("z3.json", "z3")
assert first["stats"]["solver_queries"] > 0
assert first == second, (first, second)
PYTHON
}
same 1 lost_update.c --races --keep-going --outcomes; check "native and z3: races and outcomes"
same 1 store_buffering.c --memory=tso --keep-going; check "native and z3: store buffers"
same 0 publication.c --memory=tso; check "native and z3: a program that holds"

# The questions as files: Z3 reads and answers each of them.
cat > ask.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <z3.h>
int main(int count, char **names) {
  for (int i = 1; i < count; ++i) {
    static char text[1 << 20];
    FILE *file = fopen(names[i], "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    Z3_context context = Z3_mk_context(Z3_mk_config());
    printf("%.5s\n", Z3_eval_smtlib2_string(context, text));
    Z3_del_context(context);
  }
}
C
"$clang" -w ask.c -lz3 -o ask; check "libz3"
mkdir smt && gives 1 check --dump-smt=smt --keep-going lost_update.c --format=json && test "$(ls smt | wc -l)" -eq "$(fact stats solver_queries)"; check "one file for each question"
./ask smt/*.smt2 > answers; test "$(grep -cE '^(sat|unsat)' answers)" -eq "$(ls smt | wc -l)" && grep -q '^sat' answers || { cat answers >&2; false; }; check "Z3 answers them"

# An exception that nobody catches ends one execution, not the check.
gives 1 check --keep-going uncaught_exception.cpp && answers "^uncaught-exception: std::runtime_error$" && answers "^  T0.0 at uncaught_exception.cpp:12 in lambda at uncaught_exception.cpp:11" && answers "FAILS: exception: std::runtime_error"; check "an uncaught exception"
gives 0 replay && says "exception"; check "happens again"
gives 1 check --keep-going uncaught_exception.cpp --format=json && test "$(fact stats executions)" -gt 1 && test "$(fact findings 0 kind)" = uncaught-exception && test "$(fact findings 0 confirmed)" = True; check "and other executions were looked at"
summary
