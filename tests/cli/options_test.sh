#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every option that --help shows is used by a test (tests/docs/check_options.py says
# which are not), and those that no other test has anything to do with are used here.
#
#   options_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
export PYTHONDONTWRITEBYTECODE=1
cp "$root"/examples/0[1-8]*/*.c "$work" && cd "$work" || exit 1
latest() { ls -d "$HEDDLE_DIR"/runs/*"$1" | tail -1; }

python3 "$root/tests/docs/check_options.py" "$heddle" "$root" >&2; check "every option has a test"

cat > codes.c <<'C'
#ifdef FOUR
int main(void) { return 4; }
#else
int main(void) { return 3; }
#endif
C
echo 'int main(void) { for (;;) __asm__ volatile("" ::: "memory"); }' > endless.c

# check
gives 1 check --carrier=thread lost_update.c && answers "^assertion: counter == 2$" && sed '/ executions\|^results in\|replay:/d' out > threads &&
  gives 1 check --carrier=fiber lost_update.c && sed '/ executions\|^results in\|replay:/d' out | cmp -s - threads
check "check --carrier: the same counterexample"
gives 0 replay --carrier=thread --verbose && says "carrier thread" && says "assertion in T0"; check "replay --carrier"
gives 4 check --reduce=icb --context-bound=0 lost_update.c && gives 1 check --reduce=icb --context-bound=2 lost_update.c; check "check --context-bound"
mkdir smt && gives 1 check --dump-smt=smt lost_update.c && ls smt/*.smt2 > /dev/null; check "check --dump-smt"
gives 3 check --dump-smt=nowhere lost_update.c && says "choose another directory"; check "nowhere to dump to"
gives 0 check --fail-on-exit=none codes.c && gives 1 check --fail-on-exit=3,5 codes.c && gives 0 check --fail-on-exit=4 codes.c; check "check --fail-on-exit"
gives 1 check --fail-on-exit=4 --cflags=-DFOUR codes.c; check "with --cflags"
gives 4 check --hang-seconds=1 endless.c && answers "no visible operation for 1 s"; check "check --hang-seconds"
gives 1 check --isolation=fork --verbose lost_update.c && says "accesses instrumented"; check "check --isolation --verbose"
gives 4 check --limit=5 lost_update.c && answers "undecided"; check "check --limit"
gives 0 check --reduce=learn --no-merge publication.c && answers " states"; check "check --no-merge"
gives 1 check --search=random --seed=3 --executions=40 lost_update.c && answers "a search looks at some executions"; check "check --search --seed"
gives 1 check --solver=z3 lost_update.c && answers "^assertion: counter == 2$" && answers "solver queries (0 without search)" && gives 1 check --solver=native lost_update.c && answers "solver queries ([1-9][0-9]* without search)"; check "check --solver"

# replay
gives 0 replay --hang-seconds=5 --verbose && says "carrier fiber"; check "replay --hang-seconds --verbose"
gives 1 check --heap=reuse early_free.c && gives 0 replay "$(latest -check)/finding-1.schedule" early_free.c --heap=reuse --cflags=-DUNUSED && says "use-after-free"; check "replay --heap --cflags"

# predict
gives 1 predict --carrier=thread --heap=reuse --hang-seconds=5 --find=deadlocks lock_order.c && answers "^deadlock: " && answers "^found$"; check "predict --carrier --heap --hang-seconds"
gives 1 predict --cflags=-DUNUSED --isolation=fork --verbose --find=deadlocks lock_order.c && says "accesses instrumented"; check "predict --cflags --isolation --verbose"
gives 4 predict --limit=3 lock_order.c && answers "there may be more"; check "predict --limit that is too low"

# program
gives 0 program deps --cflags=-DFOUR codes.c && gives 3 program deps --cflags=--nonsense codes.c; check "program deps --cflags"
gives 0 program sites --cflags=-DFOUR codes.c && gives 3 program sites --cflags=--nonsense codes.c; check "program sites --cflags"
printf '#include <time.h>\nint main(void) {\n#ifdef CLOCK\n  return time(0) == 0;\n#endif\n  return 0;\n}\n' > clock.c
gives 0 program nondeterminism --cflags=-DCLOCK --format=text clock.c && answers "^clock.c:4:.* main: time (reads a clock)$" && gives 0 program nondeterminism clock.c && silent; check "program nondeterminism --cflags --format"
gives 0 program sites --format=json lost_update.c && python3 -c 'import json; sites = json.load(open("out"))["sites"]; assert any(site["line"] == 13 for site in sites), sites'; check "program sites --format"

# inject, propagate
gives 0 inject bit_flip.c --function=square --experiment=bitflip:1 --file=bit_flip.c --thread=T0.0 --seed=5 && answers "thread T0.0" && cp out five; check "inject --file --thread"
gives 0 inject bit_flip.c --function=square --experiment=bitflip:1 --file=bit_flip.c --thread=T0.0 --seed=6 && ! cmp -s out five; check "inject --seed"
gives 0 inject bit_flip.c --experiment=bitflip:1 && cp out plain && gives 0 inject bit_flip.c --experiment=bitflip:1 --optimised && answers "^outcome: " && ! cmp -s out plain; check "inject --optimised: another code"
gives 0 inject bit_flip.c --experiment=bitflip:1 --cflags=-DUNUSED && cmp -s out plain && gives 3 inject bit_flip.c --experiment=bitflip:1 --cflags=--nonsense; check "inject --cflags"
gives 0 inject bit_flip.c --experiment=bitflip:2 --instruction=add --format=json && python3 -c 'import json; told = json.load(open("out")); assert told["instruction"] == "add" and told["injected"], told'; check "inject --instruction --format"
told() { python3 -c "import json; told = json.load(open('out')); faults = told['stats']['faults'][0]; assert $1, told"; }
gives 0 propagate bit_flip.c --runs=3 --faults=bitflip --file=bit_flip.c --thread=T0.1 --seed=7 --fault-free=2 --optimised --format=json && cp out optimised.json &&
  told "told['seed'] == 7 and told['stats']['fault_free_runs'] == 2 and faults['injected'] == 3"
check "propagate --seed --fault-free"
gives 0 propagate bit_flip.c --runs=1 --faults=bitflip --fault-free=0 --format=json && told "told['stats']['fault_free_runs'] == 0 and told['stats']['instructions'] > json.load(open('optimised.json'))['stats']['instructions']"; check "propagate --optimised: fewer instructions"
gives 0 propagate bit_flip.c --runs=8 --faults=bitflip --thread=T0.1 && gives 0 report --format=html -o - && python3 - <<'PYTHON'
import re
rows = re.findall(r'\["bitflip:\d+","([^"]*)"', open("out").read())
assert len(rows) == 8 and set(rows) == {"T0.1"}, rows
PYTHON
check "propagate --thread: only there"
gives 3 propagate bit_flip.c --runs=3 --faults=bitflip --file=other.c; check "propagate --file without code"

# record, reproduce
for _ in $(seq 40); do "$heddle" record --no-cores --cflags=-DUNUSED early_free_served.c > out 2> err || break; done
says "signal 11" && says "recording in"; check "record --no-cores --cflags"
gives 4 reproduce --memory-limit=10M --format=json && answers '"code": "memory"'; check "reproduce --memory-limit"
gives 4 propagate bit_flip.c --memory-limit=10M --format=json && answers '"code": "memory"'; check "propagate --memory-limit"
gives 0 check lock_order.c --cross-check --time-limit=30 && answers "^the reductions agree" && answers "^dpor: violated"; check "check --cross-check"
gives 4 check lock_order.c --memory-limit=10M --format=json && answers '"code": "memory"'; check "check --memory-limit"
gives 4 predict lock_order.c --memory-limit=10M --format=json && answers '"code": "memory"'; check "predict --memory-limit"
gives 4 predict lock_order.c --time-limit=0.001 --format=json && answers '"code": "time"'; check "predict --time-limit"
gives 0 reproduce --seed=4 --hang-seconds=20 --color=always && grep -q "$(printf '\033\\[')" out && answers "reproduced"; check "reproduce --seed --hang-seconds, of the latest recording"
gives 0 reproduce --trials=0 && answers "^reproduced$"; check "reproduce --trials: without any"

# trace
"$heddle" trace run lost_update.c --output=one.trace --schedule-output=one.schedule --verbose 2> err; says "isolation"; check "trace run --output --verbose"
"$heddle" trace run lost_update.c --strategy=random --seed=3 --output=other.trace > out 2>&1
gives 1 trace diff one.trace other.trace && gives 1 trace diff --any-order one.trace other.trace; check "trace diff --any-order: another value was read"
gives 0 trace diff --any-order one.trace one.trace; check "trace diff --any-order: the same"
cat > again.c <<'C'
#include <assert.h>
#include <stdlib.h>
int main(void) {
  void *first = malloc(SIZE);
  free(first);
  assert(malloc(SIZE) != first);
}
C
gives 0 trace run --cflags=-DSIZE=64 again.c && says "exit 0" && gives 1 trace run --heap=reuse --cflags=-DSIZE=64 again.c && says "assertion" && gives 3 trace run again.c; check "trace run --heap --cflags"
cat > woken.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&never, &lock);
  pthread_mutex_unlock(&lock);
}
C
gives 1 trace run woken.c && says "deadlock"; check "nobody wakes it"
woken=0
for seed in $(seq 20); do "$heddle" trace run --spurious --strategy=random --seed=$seed woken.c -o woken.trace > out 2> err && woken=1 && break; done
test $woken -eq 1 && says "exit 0" && "$heddle" trace dump woken.trace | grep -q 'cond_resume.*spurious'; check "trace run --spurious: it wakes without reason"
python3 - <<'PYTHON'
data = bytearray(open("one.trace", "rb").read())
data[len(data) * 3 // 4] ^= 255
open("cut.trace", "wb").write(data)
PYTHON
gives 3 trace stats cut.trace && gives 3 trace export --to=std cut.trace; check "a damaged trace is refused"
gives 3 trace validate cut.trace && silent; check "nor is it valid"
gives 0 trace validate --salvage cut.trace && answers "cut.trace: [1-9][0-9]* events, valid, breaks off"; check "trace validate --salvage: what is whole makes sense"
gives 0 trace dump one.trace && cp out whole && gives 0 trace dump --salvage cut.trace && events=$(grep -c '^T0' out) && test "$events" -gt 0 && test "$events" -lt "$(grep -c '^T0' whole)" &&
  cmp -s <(grep '^T0' out) <(grep '^T0' whole | head -"$events")
check "trace dump --salvage: the beginning of the whole trace"
gives 0 trace stats --salvage cut.trace && answers "^ending *none: the trace broke off; .*checksum" && answers "^events *$events "; check "trace stats --salvage"
gives 0 trace sanitize --salvage cut.trace && test -s out; check "trace sanitize --salvage"
gives 0 trace export --salvage --to=std cut.trace && test -s out; check "trace export --salvage"
gives 1 trace diff --salvage one.trace cut.trace; check "trace diff --salvage"

# Colours: where they are asked for, or on a terminal that wants them.
coloured() { grep -q "$(printf '\033\\[')" "$1"; }
on_terminal() { script -qec "$*" /dev/null > terminal < /dev/null; }
gives 1 check lost_update.c && ! coloured out; check "no colours in a file"
gives 1 check --color=always lost_update.c && coloured out; check "check --color=always"
NO_COLOR=1 gives 1 check --color=always lost_update.c && coloured out; check "what is asked for beats NO_COLOR"
gives 0 report --color=always && coloured out && gives 0 report --color=never && ! coloured out; check "report --color"
gives 1 predict --color=always lost_update.c && coloured out; check "predict --color"
gives 0 replay --slow --color=always && coloured out && gives 0 replay --slow && ! coloured out; check "replay --color"
TERM=xterm on_terminal "$heddle" report && coloured terminal; check "colours on a terminal"
TERM=xterm NO_COLOR=1 on_terminal "$heddle" report && ! coloured terminal; check "NO_COLOR"
TERM=xterm on_terminal "$heddle" report --color=never && ! coloured terminal; check "--color=never on a terminal"
TERM=dumb on_terminal "$heddle" report && ! coloured terminal; check "a terminal without colours"
gives 2 check --color=red lost_update.c && says "auto"; check "no such choice"

# Typing errors.
gives 2 chekc lost_update.c && says "did you mean check?" && silent; check "a mistyped command"
gives 2 check --memroy=tso lost_update.c && says "did you mean --memory?" && silent; check "a mistyped option"
gives 2 check --memory=tos lost_update.c && says "tso" && silent; check "a mistyped choice"

# Long names of short options.
gives 0 manual --output=. && test -s heddle-check.1; check "manual --output"
gives 1 check lost_update.c && gives 0 report --format=sarif --output=one.sarif && test -s one.sarif; check "report --output"
summary
