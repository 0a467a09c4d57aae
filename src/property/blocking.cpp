// SPDX-License-Identifier: Apache-2.0
#include "property/blocking.h"

#include <algorithm>

#include "semantics/meaning.h"

namespace heddle::property {

bool blocks_for_ever(const HeddleRecord& operation) {
  if (!semantics::may_block(operation.kind)) return false;
  switch (semantics::effect_of(operation)) {
    // Not again by the thread that holds it: it goes deeper, or is refused.
    case HEDDLE_EFFECT_ACQUIRE:
      return semantics::family_of(operation) != HEDDLE_FAMILY_MUTEX ||
             (operation.value <= 1 && !semantics::gave_up(operation));
    case HEDDLE_EFFECT_SHARE:
    case HEDDLE_EFFECT_TAKE:
    case HEDDLE_EFFECT_ENTER:
    case HEDDLE_EFFECT_DEPART: return true;
    case HEDDLE_EFFECT_JOIN: return !semantics::gave_up(operation);
    case HEDDLE_EFFECT_RESUME: return semantics::was_woken(operation);
    default: return false;
  }
}

bool is_timed_wait(const HeddleRecord& operation) {
  return semantics::effect_of(operation) == HEDDLE_EFFECT_WAIT && (operation.flags & HEDDLE_FLAG_TIMED);
}

std::optional<Wanted> wanted_lock(const HeddleRecord& operation) {
  if (!semantics::may_block(operation.kind)) return std::nullopt;
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_ENTER: return Wanted{operation.address, false};
    case HEDDLE_EFFECT_SHARE: return Wanted{operation.address, true};
    case HEDDLE_EFFECT_RESUME:
      if (semantics::family_of(operation) == HEDDLE_FAMILY_CONDITION) return Wanted{operation.value, false};
      return std::nullopt;
    default: return std::nullopt;
  }
}

bool holds(std::span<const causal::HeldSection> held, const Wanted& wanted) {
  return std::any_of(held.begin(), held.end(), [&](const causal::HeldSection& section) {
    return section.lock == wanted.lock && !(section.is_shared && wanted.is_shared);
  });
}

HeddleRecord waited_for(const HeddleRecord& waiting, std::span<const HeddleRecord> before) {
  HeddleRecord next = waiting;
  next.kind = static_cast<uint8_t>(waiting.value2);
  next.value = next.value2 = 0;
  next.index = static_cast<uint32_t>(before.size());
  if (next.kind == HEDDLE_THREAD_JOIN) next.value = waiting.value ? waiting.value - 1 : ~0u;
  if (next.kind == HEDDLE_COND_RESUME && !before.empty()) next.value = before.back().value;
  return next;
}

}  // namespace heddle::property
