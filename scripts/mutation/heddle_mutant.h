/* SPDX-License-Identifier: Apache-2.0
 *
 * Many mutants in one build. scripts/mutate has this header included into every file of its copy of the sources, and turns
 *
 *     a < b        into        (heddle_mutant(17) ? (a <= b) : (a < b))
 *
 * The environment says which mutant acts, and which file records those that were reached:
 *
 *     HEDDLE_MUTANT=17
 *     HEDDLE_MUTANTS_REACHED=FILE     one byte per mutant, HEDDLE_MOST_MUTANTS in all; every process of a test writes it
 *
 * Each executable and library has a state of its own. It is filled before other constructors run, with system calls made here:
 * in a target, the functions of the C library are the runtime's.
 */
#ifndef HEDDLE_MUTANT_H
#define HEDDLE_MUTANT_H

#define HEDDLE_MOST_MUTANTS 65536

struct HeddleMutantState {
  int active; /* 0: none */
  volatile unsigned char* reached;
};

__attribute__((weak, visibility("hidden"))) struct HeddleMutantState heddle_mutant_state = {0, 0};

static inline long heddle_mutant_call(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static inline const char* heddle_mutant_variable(char** environment, const char* name) {
  for (; *environment; ++environment) {
    const char* variable = *environment;
    int length = 0;
    while (name[length] && variable[length] == name[length]) ++length;
    if (!name[length] && variable[length] == '=') return variable + length + 1;
  }
  return 0;
}

__attribute__((constructor(101))) static void heddle_mutant_begin(int count, char** arguments, char** environment) {
  (void)count, (void)arguments;
  const char* number = heddle_mutant_variable(environment, "HEDDLE_MUTANT");
  int active = 0;
  for (; number && *number >= '0' && *number <= '9'; ++number) active = active * 10 + (*number - '0');
  heddle_mutant_state.active = active;
  const char* file = heddle_mutant_variable(environment, "HEDDLE_MUTANTS_REACHED");
  if (!file || heddle_mutant_state.reached) return;
  const long descriptor = heddle_mutant_call(2 /* open */, (long)file, 02 /* O_RDWR */, 0, 0, 0);
  if (descriptor < 0) return;
  const long memory = heddle_mutant_call(9 /* mmap */, 0, HEDDLE_MOST_MUTANTS, 3 /* read, write */, 1 /* shared */, descriptor);
  heddle_mutant_call(3 /* close */, descriptor, 0, 0, 0, 0);
  if (memory > 0) heddle_mutant_state.reached = (volatile unsigned char*)memory;
}

static inline int heddle_mutant_acts(int number) {
  if (heddle_mutant_state.reached) heddle_mutant_state.reached[number] = 1;
  return heddle_mutant_state.active == number;
}

#ifdef __cplusplus
/* Constant expressions are computed by the compiler, and never changed. */
constexpr bool heddle_mutant(int number) { return __builtin_is_constant_evaluated() ? false : heddle_mutant_acts(number); }

/* The case that a switch goes to if the cases for `first` and `second` are swapped. */
template <typename Value, typename First, typename Second>
constexpr Value heddle_swapped(bool acts, Value value, First first, Second second) {
  if (!acts) return value;
  if (value == static_cast<Value>(first)) return static_cast<Value>(second);
  return value == static_cast<Value>(second) ? static_cast<Value>(first) : value;
}
#endif

#endif
