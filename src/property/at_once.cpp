// SPDX-License-Identifier: Apache-2.0
#include "property/at_once.h"

#include <algorithm>

#include "causal/operation.h"
#include "semantics/meaning.h"

namespace heddle::property {

namespace {

constexpr uint8_t kOtherEnds = HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED | HEDDLE_FLAG_SPURIOUS;

bool needs_only_what_is_before(const HeddleRecord& operation) {
  const HeddleForm form = semantics::form_of(operation);
  switch (semantics::family_of(operation)) {
    case HEDDLE_FAMILY_MEMORY:
      return (operation.kind == HEDDLE_LOAD || operation.kind == HEDDLE_STORE) &&
             operation.order == HEDDLE_ORDER_NOT_ATOMIC;
    case HEDDLE_FAMILY_HEAP:
    case HEDDLE_FAMILY_TIME: return true;
    case HEDDLE_FAMILY_THREAD: return operation.kind != HEDDLE_THREAD_DETACH && operation.kind != HEDDLE_THREAD_CANCEL;
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: return form != HEDDLE_FORM_TIMED;
    case HEDDLE_FAMILY_BARRIER: return semantics::effect_of(operation) != HEDDLE_EFFECT_DESTROY;
    case HEDDLE_FAMILY_SEMAPHORE:
      switch (semantics::effect_of(operation)) {
        case HEDDLE_EFFECT_DESTROY:
        case HEDDLE_EFFECT_INSPECT: return false;
        default: return form != HEDDLE_FORM_TIMED;
      }
    case HEDDLE_FAMILY_PROGRAM: return operation.kind != HEDDLE_ATOMIC_BEGIN && operation.kind != HEDDLE_ATOMIC_END;
    case HEDDLE_FAMILY_EXTERN: return operation.kind == HEDDLE_EXTERN_CALL;  // what it writes is another operation
    case HEDDLE_FAMILY_END: return operation.kind == HEDDLE_EXIT;
    default: return false;
  }
}

}  // namespace

bool races_are_at_once(const causal::Execution& execution) {
  return std::all_of(execution.threads.begin(), execution.threads.end(), [](const causal::ThreadPart& part) {
    return std::all_of(part.operations.begin(), part.operations.end(), [](const HeddleRecord& operation) {
      // A plain store has another flag in the place of some.
      const bool ends_otherwise = operation.kind != HEDDLE_STORE && (operation.flags & kOtherEnds);
      if (causal::tells_misuse(operation)) return false;
      return !ends_otherwise && needs_only_what_is_before(operation);
    });
  });
}

}  // namespace heddle::property
