/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program can say to Heddle. Without Heddle these are plain C or do
 * nothing, so the header may stay in production code.
 *
 *   heddle_assert(condition)           must hold in every schedule
 *   heddle_assume(condition)           runs in which it does not hold are not looked at
 *   heddle_observe("name", value)      part of the outcome of the run; the last call per name counts
 *   heddle_nondet_int(lo, hi)          any value between lo and hi, both included
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __HEDDLE__
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Bodies for the program as it runs by itself; under Heddle the runtime's are used. */
#define HEDDLE_OWN_BODY __attribute__((weak, noinline, unused))
HEDDLE_OWN_BODY void __heddle_assert_failed(const char* condition, const char* file, unsigned line,
                                            const char* function) {
  __builtin_printf("%s:%u: %s: assertion %s failed\n", file, line, function, condition);
  __builtin_abort();
}
HEDDLE_OWN_BODY void __heddle_assume(int condition) {
  if (!condition) exit(0);
}
HEDDLE_OWN_BODY void __heddle_observe(const char* name, long long value) {
  (void)name;
  (void)value;
}
HEDDLE_OWN_BODY int __heddle_nondet_int(int lowest, int highest) {
  (void)highest;
  return lowest;
}
#ifdef __cplusplus
}
#endif

#define heddle_assert(condition) \
  ((condition) ? (void)0 : __heddle_assert_failed(#condition, __FILE__, __LINE__, __func__))
#define heddle_assume(condition) __heddle_assume(!!(condition))
#define heddle_observe(name, value) __heddle_observe((name), (long long)(value))
#define heddle_nondet_int(lowest, highest) __heddle_nondet_int((lowest), (highest))

#else

#include <assert.h>
#include <stdlib.h>

#define heddle_assert(condition) assert(condition)
#define heddle_assume(condition) ((condition) ? (void)0 : exit(0))
#define heddle_observe(name, value) ((void)(name), (void)(value))
#define heddle_nondet_int(lowest, highest) ((void)(highest), (int)(lowest))

#endif
#endif
