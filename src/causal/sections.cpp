// SPDX-License-Identifier: Apache-2.0
#include "causal/sections.h"

namespace heddle::causal {
namespace {

using Kind = SectionStep::Kind;

bool got_it(const HeddleRecord& operation) {
  return !(operation.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED));
}

}  // namespace

SectionStep section_step(const HeddleRecord& operation) {
  switch (operation.kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK:  // value: depth; only the outermost counts
      if (got_it(operation) && operation.value <= 1) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_MUTEX_UNLOCK:
      if (got_it(operation) && operation.value == 0) return {Kind::kRelease, operation.address};
      break;
    case HEDDLE_COND_WAIT: return {Kind::kRelease, operation.value};
    case HEDDLE_COND_RESUME: return {Kind::kAcquire, operation.value};
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD:
      if (got_it(operation)) return {Kind::kAcquireShared, operation.address};
      break;
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE:
      if (got_it(operation)) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_RWLOCK_UNLOCK:
      if (got_it(operation)) return {Kind::kRelease, operation.address};
      break;
    case HEDDLE_ONCE_ENTER:
      if (operation.value) return {Kind::kAcquire, operation.address};
      break;
    case HEDDLE_ONCE_DONE: return {Kind::kRelease, operation.address};
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
