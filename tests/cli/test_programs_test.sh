#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks inside test programs: HEDDLE_CHECK of <heddle.hpp>, with and without
# GoogleTest, and what is said when it is used wrongly.
#
#   test_programs_test.sh path/to/heddle
. "$(dirname "$0")/helpers.sh"
root=$(realpath "$(dirname "$0")/../..")
cd "$work" || exit 1

cat > own.cpp <<'CPP'
#include <heddle.hpp>
#include <pthread.h>
static int x, y, seen_x, seen_y, ready = 5;
static void *left(void *unused) { x = 1; seen_y = y; return unused; }
static void *right(void *unused) { y = 1; seen_x = x; return unused; }
static void store_buffering() {
  pthread_t one, two;
  pthread_create(&one, nullptr, left, nullptr);
  pthread_create(&two, nullptr, right, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  heddle_assert(seen_x || seen_y);
}
template <class Number> void in_template() {
  HEDDLE_CHECK { heddle_assert(sizeof(Number) > 0); };
}
static int attempt(const char *name, void (*test)()) {
  try {
    test();
    std::printf("%s: passes\n", name);
    return 0;
  } catch (const heddle::CheckFailed &failed) {
    std::printf("%s: fails\n%s", name, failed.what());
    return 1;
  }
}
int main(int argc, char **argv) {
#ifndef FORGOTTEN
  if (heddle::runs_check(argc, argv)) return 0;
#endif
#ifdef __HEDDLE__
  ready = 0;
#endif
  attempt("globals", [] { HEDDLE_CHECK { heddle_assert(ready == 5); }; });
  attempt("sc", [] { HEDDLE_CHECK { store_buffering(); }; });
  attempt("tso", [] { HEDDLE_CHECK_WITH("--memory=tso", "--limit=1000") { store_buffering(); }; });
  attempt("not decided", [] { HEDDLE_CHECK_WITH("--executions=1") { store_buffering(); }; });
  if (argc > 1) attempt("templates", [] { in_template<int>(); in_template<long>(); });
}
CPP
"$heddle" c++ -std=c++20 -g -pthread own.cpp -o own; check "compiles"
./own more > answers 2>&1
grep -qx "globals: passes" answers; check "the body finds globals as main does"
grep -qx "sc: passes" answers; check "a check that holds"
sed -n '/^tso: fails/,/^not decided/p' answers > tso
grep -q "^HEDDLE_CHECK at own.cpp:3[0-9]$" tso && grep -q "FAILS: assertion: seen_x || seen_y" tso && grep -qx violated tso
check "options reach the check, the text is the counterexample"
$heddle replay "$(sed -n 's/.*replay: heddle replay //p' tso)" 2> err && says "seen_x || seen_y"; check "its replay"
grep -q "^not decided: fails" answers && grep -q "^undecided" answers; check "undecided does not pass"
sed -n '/^templates/,$p' answers | grep -q "is it in a template"; check "two bodies in one place are refused"
HEDDLE=/nowhere/heddle ./own > answers 2>&1; grep -q "/nowhere/heddle cannot be run: put it into PATH" answers; check "no heddle"
"$heddle" c++ -std=c++20 -g -pthread -DFORGOTTEN own.cpp -o forgotten && ./forgotten > answers 2>&1
grep -q "main does not begin with: if (heddle::runs_check" answers && ! grep -q "passes" answers; check "a main that does not say which process it is"
"$clangxx" -std=c++20 -I"$root/include" -Wall -Wextra -Werror -pthread own.cpp -o plain && ./plain | grep -qx "tso: passes"; check "another compiler: once"
sed 's/HEDDLE_CHECK { heddle_assert(ready == 5); }/int kept = argc; HEDDLE_CHECK { heddle_assert(kept == 5); }/; s/\[\] { int/[argc] { int/' own.cpp > captures.cpp
"$heddle" c++ -std=c++20 -pthread captures.cpp -o captures > err 2>&1; test $? -ne 0 && says "kept"; check "nothing is captured"

# GoogleTest, whose library has no bitcode.
cp "$root/examples/10_googletest/account_test.cpp" .
sed 's/heddle_assert(account.balance() >= 0)/EXPECT_GE(account.balance(), 0)/' account_test.cpp > expect_test.cpp
"$heddle" c++ -std=c++20 -g -pthread expect_test.cpp -lgtest -o expect_test; check "a test of GoogleTest compiles"
./expect_test --gtest_filter='-*Starts*' > answers 2>&1; test $? -eq 1; check "its exit code"
grep -q "OK \] Account.KeepsDeposits" answers; check "EXPECT_ in every order"
grep -q "FAILED  \] Account.IsNeverOverdrawn" answers && grep -q "assertion: expect_test.cpp:43: Expected: (account.balance()) >= (0), actual: -10 vs 0" answers; check "EXPECT_ that fails in one"
sed 's/return heddle::run_all_tests/testing::InitGoogleTest(\&argc, argv); return heddle::runs_check(argc, argv) ? 0 : RUN_ALL_TESTS/; s/RUN_ALL_TESTS(argc, argv)/RUN_ALL_TESTS()/' expect_test.cpp > unsafe_test.cpp
"$heddle" c++ -std=c++20 -g -pthread unsafe_test.cpp -lgtest -o unsafe_test && ./unsafe_test --gtest_filter='*Keeps*' > answers 2>&1
grep -q "include <heddle_gtest.hpp> and let main return" answers && ! grep -q "OK \] Account.Keeps" answers; check "expectations that nobody counts are refused"
summary
