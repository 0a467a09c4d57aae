// SPDX-License-Identifier: Apache-2.0
//
// The table of abi/semantics.h for the host, and the questions about single
// operations that follow from it.
//
//   switch (effect_of(operation)) {
//     case HEDDLE_EFFECT_ACQUIRE: ...
//
// Tests may replace one field of one row without a new build: see meaning.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "abi/semantics.h"

namespace heddle::semantics {

using Meanings = std::array<HeddleMeaning, 256>;
extern const Meanings kMeanings;  // by kind

inline const HeddleMeaning& meaning(uint8_t kind) { return kMeanings[kind]; }
inline HeddleEffect effect_of(uint8_t kind) { return static_cast<HeddleEffect>(kMeanings[kind].effect); }
inline HeddleEffect effect_of(const HeddleRecord& operation) { return effect_of(operation.kind); }
inline HeddleFamily family_of(uint8_t kind) { return static_cast<HeddleFamily>(kMeanings[kind].family); }
inline HeddleFamily family_of(const HeddleRecord& operation) { return family_of(operation.kind); }
inline HeddleForm form_of(uint8_t kind) { return static_cast<HeddleForm>(kMeanings[kind].form); }
inline HeddleForm form_of(const HeddleRecord& operation) { return form_of(operation.kind); }
inline HeddleLearns learns_of(uint8_t kind) { return static_cast<HeddleLearns>(kMeanings[kind].learns); }
inline HeddleLearns learns_of(const HeddleRecord& operation) { return learns_of(operation.kind); }

// It did not do what its effect says: a failed attempt or call, a deadline that passed, a cancelled wait.
inline bool gave_up(uint8_t flags) { return flags & HEDDLE_GAVE_UP_FLAGS; }
inline bool gave_up(const HeddleRecord& operation) { return gave_up(operation.flags); }

// Of the end of a wait: a WAKE ended it, not time, chance or cancellation.
inline bool was_woken(uint8_t flags) {
  return !(flags & (HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_SPURIOUS | HEDDLE_FLAG_CANCELLED));
}
inline bool was_woken(const HeddleRecord& resume) { return was_woken(resume.flags); }

// Works on a mutex, a condition variable, a futex word or another object of synchronisation.
inline bool uses_object(uint8_t kind) {
  return family_of(kind) >= HEDDLE_FAMILY_MUTEX && family_of(kind) <= HEDDLE_FAMILY_WORD;
}
// Ends what its thread began before and does not touch the object again.
inline bool only_resumes(uint8_t kind) {
  const HeddleEffect effect = effect_of(kind);
  return effect == HEDDLE_EFFECT_RESUME || effect == HEDDLE_EFFECT_LEAVE || effect == HEDDLE_EFFECT_DEPART;
}
// Initialises or destroys the object.
inline bool changes_life(uint8_t kind) {
  return effect_of(kind) == HEDDLE_EFFECT_INIT || effect_of(kind) == HEDDLE_EFFECT_DESTROY;
}
// ACQUIRE or SHARE of a mutex or reader-writer lock.
inline bool takes_lock(uint8_t kind) {
  return effect_of(kind) == HEDDLE_EFFECT_ACQUIRE || effect_of(kind) == HEDDLE_EFFECT_SHARE;
}
// The end of a condition wait, which takes the mutex again unless that fails.
inline bool takes_mutex_back(uint8_t kind, uint8_t flags) {
  return family_of(kind) == HEDDLE_FAMILY_CONDITION && effect_of(kind) == HEDDLE_EFFECT_RESUME &&
         !(flags & HEDDLE_FLAG_FAILED);
}
// It asked for a lock that it did not get, because of those who held it.
inline bool is_vain_attempt(uint8_t kind, uint8_t flags) {
  if (!takes_lock(kind)) return false;
  switch (form_of(kind)) {
    case HEDDLE_FORM_ATTEMPT: return flags & HEDDLE_FLAG_FAILED;
    case HEDDLE_FORM_TIMED: return flags & HEDDLE_FLAG_TIMEOUT;
    default: return false;
  }
}
inline bool is_vain_attempt(const HeddleRecord& operation) { return is_vain_attempt(operation.kind, operation.flags); }
// It cannot always happen at once, and does not give up: another thread may have to act first.
inline bool may_block(uint8_t kind) { return form_of(kind) == HEDDLE_FORM_BLOCKING; }

// The kind of operation with the same effect that waits until it can happen.
uint8_t blocking_form(uint8_t kind);

// A WAKE takes at most so many threads out of the queue.
inline constexpr uint64_t kAllWaiters = 0x7fffffff;
inline uint64_t most_woken(uint8_t kind, uint64_t value2) {
  if (kind == HEDDLE_COND_SIGNAL) return 1;
  return kind == HEDDLE_NOTIFY ? value2 : kAllWaiters;
}
inline uint64_t most_woken(const HeddleRecord& wake) { return most_woken(wake.kind, wake.value2); }

// Memory orders.
inline bool acquires(uint8_t order) {
  return order == HEDDLE_ORDER_CONSUME || order == HEDDLE_ORDER_ACQUIRE || order == HEDDLE_ORDER_ACQ_REL ||
         order == HEDDLE_ORDER_SEQ_CST;
}
inline bool releases(uint8_t order) {
  return order == HEDDLE_ORDER_RELEASE || order == HEDDLE_ORDER_ACQ_REL || order == HEDDLE_ORDER_SEQ_CST;
}

}  // namespace heddle::semantics
