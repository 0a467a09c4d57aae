// SPDX-License-Identifier: Apache-2.0
#include "predict/carried_state.h"

#include <algorithm>

#include "causal/operation.h"
#include "causal/sections.h"
#include "semantics/meaning.h"

namespace heddle::predict {

uint64_t CarriedState::block_size(uint64_t address) const {
  const auto found = blocks_.find(address);
  return found == blocks_.end() ? 0 : found->second;
}

void CarriedState::apply(const HeddleRecord& record) {
  if (causal::reads_memory(record) || causal::writes_memory(record)) access(record);
  switch (record.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS: return;
    case HEDDLE_ALLOC: blocks_[record.address] = record.value; return;
    case HEDDLE_FREE: blocks_.erase(record.address); return;
    default: break;
  }
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_START: threads_[record.thread].has_started = true; return;
    case HEDDLE_EFFECT_END: threads_[record.thread].has_ended = true; return;
    case HEDDLE_EFFECT_FINISH:
      if (!semantics::gave_up(record)) initialised_.insert(record.address);
      break;
    default: break;
  }
  use_section(record);
  wait_or_wake(record);
  if (semantics::family_of(record) == HEDDLE_FAMILY_BARRIER) use_barrier(record);
}

void CarriedState::access(const HeddleRecord& record) {
  const uint32_t low = std::min<uint32_t>(record.size, 8), high = record.size - low;
  const bool exchanges = record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
  if (causal::writes_memory(record)) {
    memory_.store(record.address, low, exchanges ? record.value2 : record.value);
    if (high) memory_.store(record.address + 8, high, record.value2);
  } else {
    memory_.learn(record.address, low, record.value);
    if (high) memory_.learn(record.address + 8, high, record.value2);
  }
}

void CarriedState::use_section(const HeddleRecord& record) {
  const causal::SectionStep step = causal::section_step(record);
  if (step.kind == causal::SectionStep::Kind::kNone) return;
  std::vector<HeddleRecord>& held = threads_[record.thread].held;
  if (step.kind != causal::SectionStep::Kind::kRelease) {
    held.push_back(record);
    return;
  }
  for (auto acquired = held.rbegin(); acquired != held.rend(); ++acquired) {
    if (causal::section_step(*acquired).lock != step.lock) continue;
    held.erase(std::next(acquired).base());
    return;
  }
}

void CarriedState::wait_or_wake(const HeddleRecord& record) {
  ThreadState& own = threads_[record.thread];
  const bool is_condition = semantics::family_of(record) == HEDDLE_FAMILY_CONDITION;
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_WAIT:
      if (semantics::gave_up(record)) return;
      own.wait = is_condition ? Wait::kForSignal : Wait::kForWord;
      own.wait_began = record;
      return;
    case HEDDLE_EFFECT_LEAVE: own.wait = Wait::kWoken; return;
    case HEDDLE_EFFECT_RESUME: own.wait = Wait::kNone; return;
    case HEDDLE_EFFECT_WAKE: break;
    default: return;
  }
  if (!is_condition) return;  // whom a NOTIFY woke shows when it resumes
  if (semantics::most_woken(record) == 1) {
    if (record.value && record.value <= threads_.size()) threads_[record.value - 1].wait = Wait::kWoken;
    return;
  }
  for (ThreadState& other : threads_)
    if (other.wait == Wait::kForSignal && other.wait_began.address == record.address) other.wait = Wait::kWoken;
}

void CarriedState::use_barrier(const HeddleRecord& record) {
  switch (semantics::effect_of(record)) {
    case HEDDLE_EFFECT_INIT:
      if (!semantics::gave_up(record)) barriers_[record.address] = {record.value, {}};
      return;
    case HEDDLE_EFFECT_DEPART: threads_[record.thread].left_to_leave.erase(record.address); return;
    case HEDDLE_EFFECT_ARRIVE: break;
    default: return;
  }
  Barrier& barrier = barriers_[record.address];
  barrier.arrived.push_back(record.thread);
  if (barrier.arrived.size() < barrier.count || barrier.count == 0) return;
  for (const uint32_t thread : barrier.arrived) threads_[thread].left_to_leave.insert(record.address);
  barrier.arrived.clear();
}

}  // namespace heddle::predict
