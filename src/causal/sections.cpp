// SPDX-License-Identifier: Apache-2.0
#include "causal/sections.h"

#include <unordered_map>

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
      if (semantics::takes_mutex_back(operation.kind, operation.flags)) return {Kind::kAcquire, operation.value};
      break;
    case HEDDLE_EFFECT_ENTER:
      if (operation.value) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_EFFECT_FINISH: return {Kind::kRelease, operation.address};
    default: break;
  }
  return {};
}

namespace {

// Mutexes that a wait for a condition gives back once although they are locked several times: the thread holds them
// all the same, and the end of the wait takes them once more.
class NestedWaits {
 public:
  // False: the step of the operation does not begin or end a section.
  bool matters(const HeddleRecord& operation) {
    const HeddleEffect effect = semantics::effect_of(operation);
    if (semantics::family_of(operation) == HEDDLE_FAMILY_MUTEX) {
      const bool counts = effect == HEDDLE_EFFECT_ACQUIRE || effect == HEDDLE_EFFECT_RELEASE;
      if (counts && !semantics::gave_up(operation)) depths_[operation.address] = operation.value;
      return true;
    }
    if (semantics::family_of(operation) != HEDDLE_FAMILY_CONDITION) return true;
    uint64_t& depth = depths_[operation.value];
    if (effect == HEDDLE_EFFECT_WAIT && !semantics::gave_up(operation)) return depth ? --depth == 0 : true;
    if (semantics::takes_mutex_back(operation.kind, operation.flags)) return ++depth == 1;
    return true;
  }

 private:
  std::unordered_map<uint64_t, uint64_t> depths_;  // by mutex
};

}  // namespace

std::vector<HeldSection> sections_of(ThreadId thread, std::span<const HeddleRecord> operations) {
  std::vector<HeldSection> sections;
  NestedWaits nested;
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const SectionStep step = section_step(operations[i]);
    if (!nested.matters(operations[i]) || step.kind == Kind::kNone) continue;
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
