// SPDX-License-Identifier: Apache-2.0
//
// An operation as the state machines of this folder see it, and what comes of it.
//
// Each family of objects has a plain state and two functions:
//
//   Outcome can_happen(state, operation)        in this state: it waits, it happens, it fails
//   void perform(state, operation, flags)       the state afterwards; flags: how it turned out
//
// They follow glibc, also where POSIX leaves the behaviour undefined; then the
// outcome says that it is a misuse. tests/native compares with the C library.
//
// Threads are numbers; sets of them are a template parameter, as one engine has
// at most 32 threads and keeps masks, and others have any number.
#pragma once

#include <cstdint>

#include "abi/semantics.h"

namespace heddle::semantics {

struct ObjectOperation {
  HeddleEffect effect = HEDDLE_EFFECT_NONE;
  HeddleForm form = HEDDLE_FORM_PROMPT;
  uint32_t thread = 0;
  uint64_t type = 0;    // of the object: MutexType, RwlockType
  uint64_t amount = 0;  // INIT: tokens or threads of a barrier; WAKE: how many at most
};

struct Outcome {
  bool waits = false;  // it cannot happen yet; one of form TIMED may time out instead
  uint8_t flags = 0;   // if it happens: HEDDLE_FLAG_FAILED, _MISUSE, _SERIAL
  bool operator==(const Outcome&) const = default;
};

inline constexpr Outcome kWaits = {true, 0};
inline constexpr Outcome kHappens = {false, 0};
inline constexpr Outcome kFails = {false, HEDDLE_FLAG_FAILED};
inline constexpr Outcome kMisused = {false, HEDDLE_FLAG_MISUSE};
inline constexpr Outcome kFailsMisused = {false, HEDDLE_FLAG_FAILED | HEDDLE_FLAG_MISUSE};

// What becomes of an operation of this form that cannot happen now.
constexpr Outcome unavailable(HeddleForm form) { return form == HEDDLE_FORM_ATTEMPT ? kFails : kWaits; }

// The same outcome, of an operation that is a misuse whatever comes of it.
constexpr Outcome with_misuse(Outcome outcome, bool is_misuse) {
  if (is_misuse && !outcome.waits) outcome.flags |= HEDDLE_FLAG_MISUSE;
  return outcome;
}

// Threads below 64, with the interface of std::set as far as it is used here.
struct ThreadMask {
  uint64_t bits = 0;
  bool contains(uint32_t thread) const { return bits >> thread & 1; }
  void insert(uint32_t thread) { bits |= uint64_t{1} << thread; }
  void insert_all(const ThreadMask& others) { bits |= others.bits; }
  void erase(uint32_t thread) { bits &= ~(uint64_t{1} << thread); }
  bool empty() const { return bits == 0; }
  uint64_t size() const { return static_cast<uint64_t>(__builtin_popcountll(bits)); }
  void clear() { bits = 0; }
};

}  // namespace heddle::semantics
