// SPDX-License-Identifier: Apache-2.0
#include "causal/operation.h"

namespace heddle::causal {

bool is_local(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_ALLOC:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_ASSUME:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK: return true;
    case HEDDLE_FENCE: return operation.order != HEDDLE_ORDER_SEQ_CST;
    default: return false;
  }
}

}  // namespace heddle::causal
