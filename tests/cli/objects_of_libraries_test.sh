#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Mutexes in the data of a library that was not built with Heddle: the program's own use of
# them, and that by functions of the library, are operations like any other.
set -euo pipefail
heddle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HEDDLE_DIR=$work/runs

cat > library.c <<'END'
#include <pthread.h>
pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
void enter(void) { pthread_mutex_lock(&shared); }
void leave(void) { pthread_mutex_unlock(&shared); }
END
gcc -shared -fPIC -o libshared.so library.c

cat > program.c <<'END'
#include <assert.h>
#include <pthread.h>
extern pthread_mutex_t shared, other;
void enter(void);
void leave(void);
static int counter;
static void *count(void *unused) {
  FIRST; ++counter; LAST;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  SECOND; ++counter; SECOND_LAST;
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
END

# NAME EXPECTED FIRST LAST SECOND SECOND_LAST
check() {
  local name=$1 expected=$2
  "$heddle" cc -g -o "$name" program.c -DFIRST="$3" -DLAST="$4" -DSECOND="$5" -DSECOND_LAST="$6" -L. -lshared -Wl,-rpath,"$work" -pthread
  for reduction in dpor none; do
    local verdict
    verdict=$("$heddle" check --reduce="$reduction" --time-limit=60 --format=json "./$name" | python3 -c '
import json, sys
result = json.load(sys.stdin)
print(result["verdict"], *sorted({finding["kind"] for finding in result["findings"]}))') || true
    if [ "$verdict" != "$expected" ]; then
      echo "$name with $reduction: '$verdict' instead of '$expected'" >&2
      exit 1
    fi
  done
}

lock='pthread_mutex_lock(&shared)' unlock='pthread_mutex_unlock(&shared)'
check exported holds "$lock" "$unlock" "$lock" "$unlock"
check by_its_functions holds 'enter()' 'leave()' "$lock" "$unlock"
check one_does_not_lock 'violated assertion' "$lock" "$unlock" '' ''
check deadlock 'violated deadlock' "$lock; pthread_mutex_lock(&other)" "pthread_mutex_unlock(&other); $unlock" \
  "pthread_mutex_lock(&other); $lock" "$unlock; pthread_mutex_unlock(&other)"
