// SPDX-License-Identifier: Apache-2.0
//
// What the kind of a recorded operation says about it.
#pragma once

#include "abi/event.h"

namespace heddle::check::learn {

// Failures that wait for their turn, as the operation would that fails.
inline bool takes_a_turn(const HeddleRecord& failure) {
  switch (failure.value) {
    case HEDDLE_FAILURE_NULL:
    case HEDDLE_FAILURE_USE_AFTER_FREE:
    case HEDDLE_FAILURE_DOUBLE_FREE:
    case HEDDLE_FAILURE_OUT_OF_BOUNDS: return true;
    default: return false;
  }
}

// Failures that the block of the heap concerned may be the reason for.
inline bool concerns_block(const HeddleRecord& failure) {
  switch (failure.value) {
    case HEDDLE_FAILURE_USE_AFTER_FREE:
    case HEDDLE_FAILURE_DOUBLE_FREE:
    case HEDDLE_FAILURE_BAD_FREE:
    case HEDDLE_FAILURE_OUT_OF_BOUNDS: return true;
    default: return false;
  }
}

inline bool has_memory(uint8_t kind) {
  return kind == HEDDLE_LOAD || kind == HEDDLE_STORE || kind == HEDDLE_RMW || kind == HEDDLE_CAS ||
         kind == HEDDLE_EXTERN_WRITE || kind == HEDDLE_AWAIT;
}

}  // namespace heddle::check::learn
