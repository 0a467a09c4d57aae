#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports: heddle report, list and explain, and --format of the analyses. What is
# written is checked by tests/report, which shares no code with what wrote it.
#
#   report_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
schema=$root/docs/reference/result.schema.json
export PYTHONDONTWRITEBYTECODE=1
cp "$root"/examples/0[1-8]*/*.c "$work" && cd "$work" || exit 1
checked() { python3 "$root/tests/report/check_report.py" "$@" > problems 2>&1 || { head -5 problems >&2; return 1; }; }
run() { printf 'heddle/runs/%s' "$(ls heddle/runs | tail -1)"; }
well() { # RUN: all forms of a run are what they should be
  gives 0 report "$1" --format=json && cmp -s out "$1/result.json" && checked json "$schema" out &&
    gives 0 report "$1" --format=sarif && checked sarif out && gives 0 report "$1" --format=junit && checked junit out &&
    gives 0 report "$1" --format=html -o - && checked html out
}

checked self-test; check "the rules catch violations"

gives 0 list && silent; check "no runs"
gives 3 report && silent && says "no run"; check "nothing to report"
gives 1 check lost_update.c; cp out first
gives 0 report && diff first out > /dev/null; check "the text is what check printed"
well "$(run)"; check "a violated check"
gives 1 check --memory=tso store_buffering.c; cp out first
gives 0 report && diff first out > /dev/null && gives 0 report --format=html && answers '/report.html$' && test -s "$(cat out)"
check "the latest run, its page beside it"
well "$(run)"; check "a run with store buffers"
grep -q 'left_comes = 1 reaches memory' "$(run)/report.html"; check "flushes are in the page"
gives 1 check --races --keep-going --outcomes lost_update.c; cp out first
gives 0 report && diff first out > /dev/null; check "races and outcomes, the same text"
well "$(run)"; check "a race"
gives 0 check --memory=tso publication.c && well "$(run)"; check "a check that holds"
gives 0 report --format=junit && answers 'failures="0" errors="0"'; check "a case that passes"
gives 4 check --executions=1 publication.c && cp out first && gives 0 report && diff first out > /dev/null && well "$(run)"
check "an undecided check"
gives 0 report --format=junit && answers 'errors="1"'; check "is an error to JUnit"
gives 1 check lock_order.c && well "$(run)"; check "a deadlock"
gives 1 predict lock_order.c --find=deadlocks && cp out first && gives 0 report && diff first out > /dev/null && well "$(run)"
check "a prediction"
"$heddle" trace run lost_update.c -o run.trace 2> /dev/null
gives 1 predict run.trace && cp out first && gives 0 report && diff first out > /dev/null && well "$(run)"
check "a prediction from a trace"
gives 0 propagate bit_flip.c --runs=20 --faults=bitflip --jobs=2 && cp out first && gives 0 report && diff first out > /dev/null && well "$(run)"
check "a campaign"
gives 0 report --format=html -o - && answers '"crossings":\[{"from":"T0' && answers '"experiments":\[\["bitflip:0"'; check "its graph and experiments"

# The failing order beside one that passes.
gives 1 check lost_update.c --format=html && test -s "$(run)/passing.trace" && checked instead "$(cat out)" "reads counter: 0" "reads counter: 1" &&
  checked instead "$(cat out)" "counter = 1" "counter = 2" && checked instead "$(cat out)" "reads counter: 1" "reads counter: 2"
check "what a passing run did instead"
! checked instead "$(cat out)" "creates T0.0" "creates T0.1" 2> /dev/null; check "and nothing else"
rm "$(run)/passing.trace" && gives 0 report --format=html -o - && answers '"passing":false' && checked html out && ! checked instead out "reads counter: 0" "reads counter: 1" 2> /dev/null
check "no passing run, no comparison"
gives 0 trace validate "$(run)/finding-1.trace" && gives 0 trace export --to=perfetto "$(run)/finding-1.trace" && python3 "$root/tests/report/check_perfetto.py" out "$(run)/finding-1.trace" "$heddle" >&2
check "a witness for Perfetto"

# Recordings, and what was made of them.
cat > fails.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum;
static void *add(void *unused) { int old = sum; usleep(1000); sum = old + 1; return unused; }
int main(int count, char **arguments) {
  pthread_t t;
  if (count > 1) for (;;) pause();
  pthread_create(&t, 0, add, arguments);
  add(0);
  pthread_join(t, 0);
  if (sum != 2) abort();
  return 3;
}
C
until_true 30 gives 134 record fails.c && well "$(run)"; check "a recording of a failure"
recorded=$(run)
gives 0 reproduce "$recorded" && well "$(run)"; check "a reproduction"
for format in sarif html junit; do
  gives 0 reproduce "$recorded" --format=$format && checked $format "$(test $format = html && cat out || echo out)"; check "reproduce --format=$format"
done
"$heddle" record --timeout=1 fails.c -- hang > out 2> err; grep -q '"kind": "hang"' "$(run)/result.json" && well "$(run)"; check "a recording of a program that hangs"
sed 's/old + 1; return/old + 1; __atomic_store_n(\&sum, 2, 5); return/' fails.c > ends.c && gives 3 record ends.c && well "$(run)"; check "one that ends with a code"

# What was explored.
gives 0 check publication.c --memory=tso --reduce=mcr --format=html && checked html "$(cat out)" && grep -q '"exploration":{"left_out":0,"branches":\[\[0,0,' "$(cat out)" && grep -q '"T0.1","reads ' "$(run)/exploration.json"
check "the tree of executions"
echo '{"schema": 1, "left_out": 0, "branches": [[0, 0, 1, "T0", "", "", 1, 0, 0], [1, 1, 1, "T0", "", "", 1, 0, 0]]}' > "$(run)/exploration.json"
gives 0 report --format=html -o - && answers '"exploration":null'; check "one that makes no sense is left out"

# The same by --format of the analyses; ids are stable.
gives 1 check lost_update.c --format=sarif && checked sarif out && cp out one.sarif; check "check --format=sarif"
gives 1 check lost_update.c --format=sarif --no-shorten
test "$(grep heddleFinding one.sarif)" = "$(grep heddleFinding out)"; check "the fingerprint does not depend on the schedule"
grep -o '"executionOrder": [0-9]*' one.sarif | sort | uniq -d | grep -q . ; test $? -eq 1; check "one step at a time"
test "$(grep -c '"id": "T0' one.sarif)" -eq 3; check "one flow per thread"
gives 1 check lost_update.c --format=html && checked html "$(cat out)"; check "check --format=html"
gives 1 check lost_update.c --format=junit && checked junit out; check "check --format=junit"
gives 1 check lost_update.c --format=json && checked json "$schema" out; check "check --format=json"
gives 1 predict lock_order.c --find=deadlocks --format=sarif && checked sarif out; check "predict --format=sarif"
gives 0 propagate bit_flip.c --runs=5 --faults=bitflip --format=html && checked html "$(cat out)" && grep -q '"experiments":\[\["bitflip:0"' "$(cat out)"; check "propagate --format=html"
gives 0 inject bit_flip.c --experiment=bitflip:0 --format=json && cp out inject.json && python3 - "$(run)" << 'END'
import json, re, sys
page = open(sys.argv[1] + "/report.html").read()
ways = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S).group(1))["campaign"]["ways"]
named = lambda number: ways["names"][number] if number >= 0 else None
told = json.load(open("inject.json"))["propagation"]
drawn = [{"time": time, "thread": named(thread), "kind": named(kind), "index": index, "object": named(object), "from": named(source), "through": named(through)}
         for time, thread, kind, index, object, source, through in ways["of"]["bitflip:0"]["events"]]
assert len(drawn) == len(told["events"]) >= 3, drawn
for event, expected in zip(drawn, told["events"]):
    assert {key: value for key, value in event.items() if value not in (None, -1)} == expected, (event, expected)
END
check "the way of an error on the page is the one that inject tells"
gives 0 report 1 --format=sarif -o here.sarif && answers '^here.sarif$' && checked sarif here.sarif; check "to a file, by number"
gives 0 report "$(run)/result.json" --format=json; check "by the path of its result"
gives 2 report --format=pdf && says "format"; check "no such form"
gives 0 list && answers "^001-check *violated *lost_update: assertion$"; check "list"
gives 0 list --format=json && python3 -c 'import json; assert json.load(open("out"))[0]["findings"] == 1'; check "list --format=json"

# Witnesses of SV-COMP.
gives 0 report 1 --format=graphml && checked graphml out && answers '<data key="assumption">counter == 1;' && answers 'reach_error'; check "a witness"
gives 0 report 1 --format=graphml -o one.graphml && gives 0 report 1 --format=graphml && cmp -s out one.graphml; check "the same each time"
gives 1 check early_free.c && gives 0 report --format=graphml && checked graphml out && answers 'valid-deref'; check "a witness of a use after free"
gives 1 check --races lost_update.c && gives 0 report --format=graphml && checked graphml out; check "a witness of a race"
gives 1 check lock_order.c && gives 3 report --format=graphml && says "no property that a finding of the kind deadlock"; check "no witness of a deadlock"
gives 1 check --memory=tso store_buffering.c && gives 3 report --format=graphml && says "sequential consistency"; check "nor of store buffers"
gives 0 check publication.c && gives 3 report --format=graphml && says "no confirmed finding"; check "nor of a check that holds"

# Names and sources that try to get out of the page.
evil='a"><img src=x onerror=alert(1)>.c'
cat > "$evil" <<'C'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static int x; // </script><script>document.title = "owned"</script><!--
static void *set(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  assert(x == 0 || !strlen("</script><script>alert(1)</script>]]>"));
  pthread_join(t, 0);
  return 0;
}
C
gives 1 check "$evil" && well "$(run)"; check "hostile names and texts"
gives 0 report --format=html -o - && ! answers 'onerror=alert(1)>.c<' && answers 'u003c/script>'; check "are only text"

# What a directory may look like.
broken=heddle/runs/900-check
mkdir -p $broken && gives 3 report 900 && silent; check "a run without result"
echo '{"tool": "heddle", "schema": 1}' > $broken/result.json && gives 0 report 900 && gives 0 report 900 --format=html -o -; check "a result without anything"
echo '{"tool": "heddle", "schema": 2}' > $broken/result.json && gives 3 report 900 && says "schema"; check "a later schema"
echo '[1, 2' > $broken/result.json && gives 3 report 900 && says "no result"; check "no JSON"
cp heddle/runs/001-check/* $broken && truncate -s 100 $broken/finding-1.trace && gives 0 report 900 --format=html -o - && checked html out
check "a trace that breaks off"
sed -i 's|"finding-1.trace"|"../../001-check/finding-1.trace"|' $broken/result.json && gives 0 report 900 --format=html -o - && answers '"witnesses":\[null\]'
check "a trace elsewhere is not followed"
sed 's/"message": ".*"/"message": 7/; s/"line": .*/"line": -1,/; s/"findings": \[/"findings": [3, null, {}, /' heddle/runs/001-check/result.json > $broken/result.json
for format in text sarif junit html; do gives 0 report 900 --format=$format -o -; check "wrong types, $format"; done

gives 0 explain race && answers "Data race"; check "explain"
gives 2 explain racce && says "did you mean race"; check "a typo"
gives 0 explain && test "$(wc -l < out)" -ge 14; check "all kinds"
for kind in $(cut -d' ' -f1 out); do
  gives 0 explain "$kind" && test "$(wc -l < out)" -ge 5; check "explain $kind"
  example=$(sed -n 's/^Example: heddle //p' out)
  (cd "$root" && timeout 120 "$heddle" $example) > out 2> err; code=$?
  case $example in
    record*) test $code -gt 128 && grep -q "\"kind\": \"$kind\"" "$(run)/result.json" ;;
    *) test $code -eq 1 && answers "^$kind: " ;;
  esac
  check "its example shows one: heddle $example"
done
summary
