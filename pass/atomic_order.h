// SPDX-License-Identifier: Apache-2.0
//
// Orders of atomic accesses, as traces have them.
#pragma once

#include <llvm/Support/AtomicOrdering.h>

#include <cstdint>

#include "abi/event.h"

namespace heddle::pass {

inline uint8_t atomic_order(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::NotAtomic: return HEDDLE_ORDER_NOT_ATOMIC;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return HEDDLE_ORDER_RELAXED;
    case llvm::AtomicOrdering::Acquire: return HEDDLE_ORDER_ACQUIRE;
    case llvm::AtomicOrdering::Release: return HEDDLE_ORDER_RELEASE;
    case llvm::AtomicOrdering::AcquireRelease: return HEDDLE_ORDER_ACQ_REL;
    case llvm::AtomicOrdering::SequentiallyConsistent: break;
  }
  return HEDDLE_ORDER_SEQ_CST;
}

}  // namespace heddle::pass
