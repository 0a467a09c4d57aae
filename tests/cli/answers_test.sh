#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The answer gets out, or the exit code says that it did not: full and closed streams, folders that cannot be written, any
# write that fails; and nothing that a caller gives makes heddle end by an exception.
#
#   answers_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
cd "$work" || exit 1
cat > loses.c <<'C'
#include <assert.h>
#include <pthread.h>
static int counter;
static void *increment(void *unused) {
  ++counter;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, increment, 0);
  pthread_create(&two, 0, increment, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
C
sed 's/assert(counter == 2);//' loses.c > holds.c
gives 0 check holds.c; check "a program that holds"

"$heddle" check holds.c > /dev/full 2> err; test $? -eq 74 && says "could not be printed"; check "standard output is full"
"$heddle" check loses.c >&- 2> err; test $? -eq 74 && says "could not be printed"; check "standard output is closed"
"$heddle" check loses.c 2>&- > out; test $? -eq 1 && answers "^violated"; check "standard error is closed"
"$heddle" check loses.c 2> /dev/full > out; test $? -eq 1 && answers "^violated"; check "standard error is full"
"$heddle" check loses.c < /dev/null 0<&- > out 2> err; test $? -eq 1 && answers "^violated"; check "standard input is closed"
for command in "explain race" "check -h" "list" "doctor" "--version"; do
  # shellcheck disable=SC2086
  "$heddle" $command > /dev/full 2> /dev/null; test $? -eq 74; check "heddle $command into a full disk"
done

HEDDLE_DIR=/proc/nowhere gives 1 check loses.c && answers "FAILS: assertion" && says "will be printed, but not kept"
check "a finding is shown although nothing can be kept"
HEDDLE_DIR=/proc/nowhere gives 1 check loses.c --format=sarif && answers '"level": "error"'; check "also as SARIF"
mkdir gone
(cd gone && rmdir ../gone && "$heddle" check ../loses.c > ../out 2> ../err; test $? -eq 1 -o $? -eq 3); check "the current folder is gone"
gives 3 check "$(printf 'a%.0s' $(seq 5000)).c" && says "heddle: "; check "a name of 5,000 letters"
gives 3 check /dev/zero && says "does not end"; check "a file that does not end"

# A recorded program is as it would be without us.
printf '#include <unistd.h>\nint main(void) { return write(2, "x", 1) == 1 ? 7 : 8; }\n' > code.c
"$heddle" cc code.c -o code
./code 2> /dev/null; native=$?
"$heddle" record ./code 2> /dev/null; test $? -eq $native; check "the code of a recorded program"
./code 2>&-; native=$?
"$heddle" record ./code 2>&-; test $? -eq $native; check "also when standard error is closed"
"$heddle" record ./code 2> /dev/full; full=$?; ./code 2> /dev/full; test $? -eq $full; check "or full"
printf '#include <signal.h>\n#include <stdio.h>\nint main(void) { struct sigaction old; sigaction(SIGPIPE, 0, &old); return old.sa_handler == SIG_IGN ? 9 : 5; }\n' > pipes.c
"$heddle" cc pipes.c -o pipes
"$heddle" record ./pipes 2> /dev/null; test $? -eq 5; check "broken pipes end a recorded program as ever"

# Each write of heddle fails once. It ends in order: the answer, or the code that says it is lost.
cat > fails.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_us(void) {
  char name[256] = "";
  const ssize_t length = readlink("/proc/self/exe", name, sizeof name - 1);
  return length > 6 && !strcmp(name + length - 6, "heddle");
}
ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  static int seen, wanted = -1;
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (wanted < 0) wanted = getenv("FAILS_AT") && is_us() ? atoi(getenv("FAILS_AT")) : 0;
  if (wanted && ++seen == wanted) {
    errno = seen % 2 ? ENOSPC : EIO;
    return -1;
  }
  return real(fd, bytes, count);
}
C
"$clang" -shared -fPIC fails.c -o fails.so -ldl; check "the library that fails is built"
gives 1 check loses.c --format=json; cp out whole.json
for n in $(seq 1 12); do
  LD_PRELOAD="$work/fails.so" FAILS_AT=$n timeout 60 "$heddle" check loses.c --format=json > out 2> err
  code=$?
  if test $code -eq 1; then python3 -c 'import json; assert json.load(open("out"))["verdict"] == "violated"'; else test $code -eq 74 -o $code -eq 3; fi
  check "write $n fails: exit code $code"
done
LD_PRELOAD="$work/fails.so" FAILS_AT=1 "$heddle" record ./code 2> /dev/null; test $? -eq 7; check "recording with a write that fails"
summary
