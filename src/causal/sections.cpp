// SPDX-License-Identifier: Apache-2.0
#include "causal/sections.h"

#include "semantics/meaning.h"

namespace heddle::causal {

using Kind = SectionStep::Kind;

SectionStep section_step(const HeddleRecord& operation) {
  const bool is_of_condition = semantics::family_of(operation) == HEDDLE_FAMILY_CONDITION;
  const bool is_of_mutex = semantics::family_of(operation) == HEDDLE_FAMILY_MUTEX;  // value: the depth afterwards
  const bool gave_up = semantics::gave_up(operation);
  switch (semantics::effect_of(operation)) {
    case HEDDLE_EFFECT_ACQUIRE:
      if (!gave_up && !(is_of_mutex && operation.value > 1)) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_EFFECT_SHARE:
      if (!gave_up) return {Kind::kAcquireShared, operation.address};
      break;
    case HEDDLE_EFFECT_RELEASE:
      if (!gave_up && !(is_of_mutex && operation.value > 0)) return {Kind::kRelease, operation.address};
      break;
    case HEDDLE_EFFECT_WAIT:
      if (is_of_condition && !gave_up) return {Kind::kRelease, operation.value};
      break;
    case HEDDLE_EFFECT_RESUME:
      if (is_of_condition) return {Kind::kAcquire, operation.value};
      break;
    case HEDDLE_EFFECT_ENTER:
      if (operation.value) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_EFFECT_FINISH: return {Kind::kRelease, operation.address};
    default: break;
  }
  return {};
}

std::vector<HeldSection> sections_of(ThreadId thread, std::span<const HeddleRecord> operations) {
  std::vector<HeldSection> sections;
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const SectionStep step = section_step(operations[i]);
    if (step.kind == Kind::kNone) continue;
    if (step.kind != Kind::kRelease) {
      sections.push_back({step.lock, thread, i, kNotReleased, step.kind == Kind::kAcquireShared});
      continue;
    }
    for (size_t k = sections.size(); k-- > 0;) {
      if (sections[k].lock != step.lock || sections[k].release != kNotReleased) continue;
      sections[k].release = i;
      break;
    }
  }
  return sections;
}

}  // namespace heddle::causal
