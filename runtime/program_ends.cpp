// SPDX-License-Identifier: Apache-2.0
//
// assert, abort, terminate, and what <heddle.h> and the SV-COMP names say.
#include <assert.h>
#include <stdlib.h>

#include "failure.h"
#include "real.h"
#include "scheduler.h"
#include "spin.h"
#include "support.h"

namespace std {
class type_info;
}
extern "C" __attribute__((weak)) std::type_info* __cxa_current_exception_type();
extern "C" __attribute__((weak)) char* __cxa_demangle(const char*, char*, size_t*, int*);

using namespace heddle::rt;

namespace {

[[noreturn]] void assertion_failed(const char* condition, const char* file, unsigned line, const char* function) {
  find_real_functions();
  Text text;
  if (!modelled() || !g.current->site)  // nothing else says where
    text.add(file).add(":").add(uint64_t{line}).add(": ").add(function ? function : "?").add(": ");
  text.add(condition);
  if (!modelled()) runtime_broken(text.c_str());
  fail(HEDDLE_FAILURE_ASSERTION, 0, line, text.c_str());
}

// The name of a type_info follows its virtual table pointer in the C++ ABI.
const char* type_name(const std::type_info* type) {
  const char* name = reinterpret_cast<const char* const*>(type)[1];
  return *name == '*' ? name + 1 : name;
}

}  // namespace

HEDDLE_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line,
                                 const char* function) noexcept {
  assertion_failed(condition, file, line, function);
}
HEDDLE_EXPORT void __assert(const char* condition, const char* file, int line) noexcept {
  assertion_failed(condition, file, static_cast<unsigned>(line), nullptr);
}
HEDDLE_EXPORT void __heddle_assert_failed(const char* condition, const char* file, unsigned line,
                                          const char* function) {
  assertion_failed(condition, file, line, function);
}
HEDDLE_EXPORT void reach_error() { assertion_failed("reach_error()", "?", 0, nullptr); }
HEDDLE_EXPORT void __VERIFIER_error() { assertion_failed("__VERIFIER_error()", "?", 0, nullptr); }

HEDDLE_EXPORT void abort() noexcept {
  find_real_functions();
  if (!modelled()) runtime_broken("abort");
  if (__cxa_current_exception_type) {
    if (const std::type_info* type = __cxa_current_exception_type()) {
      g.active = false;  // demangling allocates
      int status = -1;
      char* readable = __cxa_demangle ? __cxa_demangle(type_name(type), nullptr, nullptr, &status) : nullptr;
      g.active = true;
      fail(HEDDLE_FAILURE_EXCEPTION, 0, 0, status == 0 ? readable : type_name(type));
    }
  }
  fail(HEDDLE_FAILURE_ABORT, 0, 0, "abort");
}

HEDDLE_EXPORT void __heddle_assume(int condition) {
  if (condition) return;
  Thread& self = *g.current;
  announce(self, HEDDLE_ASSUME, 0, self.site);
  take_turn_slowly(self);  // others may go on first
  record(self, 0, 0, HEDDLE_FLAG_FAILED);
  finish_run(HEDDLE_OUTCOME_BLOCKED, 0, "an assumption does not hold");
}
HEDDLE_EXPORT void __VERIFIER_assume(int condition) { __heddle_assume(condition); }

HEDDLE_EXPORT void __heddle_observe(const char* name, long long value) {
  Thread& self = *g.current;
  announce(self, HEDDLE_OBSERVE, 0, self.site);
  take_turn(self);
  record(self, static_cast<uint64_t>(value));
  append_text(self.number, self.index, name);
}

HEDDLE_EXPORT int __heddle_nondet_int(int lowest, int highest) {
  Thread& self = *g.current;
  announce(self, HEDDLE_NONDET, 0, self.site);
  take_turn(self);
  const int64_t value = choose_value(self, lowest, highest < lowest ? lowest : highest);
  record(self, HEDDLE_NONDET, 4, 0, 0, self.site, static_cast<uint64_t>(int64_t{lowest}), static_cast<uint64_t>(value),
         static_cast<uint64_t>(int64_t{highest}));
  note_progress(self);
  return static_cast<int>(value);
}

HEDDLE_EXPORT void __VERIFIER_atomic_begin() {
  Thread& self = *g.current;
  announce(self, HEDDLE_ATOMIC_BEGIN, 0, self.site);
  take_turn(self);
  record(self);
  g.atomic_owner = &self;
}

HEDDLE_EXPORT void __VERIFIER_atomic_end() {
  Thread& self = *g.current;
  g.atomic_owner = nullptr;
  announce(self, HEDDLE_ATOMIC_END, 0, self.site);
  take_turn(self);
  record(self);
}

// A choice that names no range. All values of small types are tried, of others 0 alone.
#define HEDDLE_VERIFIER_SMALL(name, type, lowest, highest) \
  HEDDLE_EXPORT type __VERIFIER_nondet_##name() { return static_cast<type>(__heddle_nondet_int(lowest, highest)); }
HEDDLE_VERIFIER_SMALL(bool, bool, 0, 1)
HEDDLE_VERIFIER_SMALL(_Bool, bool, 0, 1)
HEDDLE_VERIFIER_SMALL(char, char, -128, 127)
HEDDLE_VERIFIER_SMALL(uchar, unsigned char, 0, 255)

#define HEDDLE_VERIFIER_NONDET(name, type)                                              \
  HEDDLE_EXPORT type __VERIFIER_nondet_##name() {                                       \
    raise_gap(*g.current, HEDDLE_GAP_CHOICE_WITHOUT_RANGE, "__VERIFIER_nondet_" #name); \
    return static_cast<type>(__heddle_nondet_int(0, 0));                                \
  }
HEDDLE_VERIFIER_NONDET(int, int)
HEDDLE_VERIFIER_NONDET(uint, unsigned)
HEDDLE_VERIFIER_NONDET(long, long)
HEDDLE_VERIFIER_NONDET(ulong, unsigned long)
HEDDLE_VERIFIER_NONDET(short, short)
HEDDLE_VERIFIER_NONDET(ushort, unsigned short)
HEDDLE_VERIFIER_NONDET(longlong, long long)
HEDDLE_VERIFIER_NONDET(ulonglong, unsigned long long)
HEDDLE_VERIFIER_NONDET(size_t, unsigned long)
HEDDLE_VERIFIER_NONDET(float, float)
HEDDLE_VERIFIER_NONDET(double, double)
HEDDLE_EXPORT void* __VERIFIER_nondet_pointer() {
  raise_gap(*g.current, HEDDLE_GAP_CHOICE_WITHOUT_RANGE, "__VERIFIER_nondet_pointer");
  return nullptr;
}
