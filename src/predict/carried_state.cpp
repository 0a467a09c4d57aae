// SPDX-License-Identifier: Apache-2.0
#include "predict/carried_state.h"

#include <algorithm>

#include "causal/operation.h"
#include "causal/sections.h"

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
    case HEDDLE_THREAD_START: threads_[record.thread].has_started = true; return;
    case HEDDLE_THREAD_END: threads_[record.thread].has_ended = true; return;
    case HEDDLE_ONCE_DONE:
      if (!causal::failed(record)) initialised_.insert(record.address);
      break;
    default: break;
  }
  use_section(record);
  wait_or_wake(record);
  use_barrier(record);
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
  switch (record.kind) {
    case HEDDLE_COND_WAIT:
      own.wait = Wait::kForSignal;
      own.wait_began = record;
      break;
    case HEDDLE_AWAIT:
      if (causal::failed(record)) break;
      own.wait = Wait::kForWord;
      own.wait_began = record;
      break;
    case HEDDLE_COND_LEAVE: own.wait = Wait::kWoken; break;
    case HEDDLE_COND_RESUME:
    case HEDDLE_AWAIT_RESUME: own.wait = Wait::kNone; break;
    case HEDDLE_COND_SIGNAL:
      if (record.value && record.value <= threads_.size()) threads_[record.value - 1].wait = Wait::kWoken;
      break;
    case HEDDLE_COND_BROADCAST:
      for (ThreadState& other : threads_)
        if (other.wait == Wait::kForSignal && other.wait_began.address == record.address) other.wait = Wait::kWoken;
      break;
    default: break;
  }
}

void CarriedState::use_barrier(const HeddleRecord& record) {
  if (record.kind == HEDDLE_BARRIER_INIT) {
    barriers_[record.address] = {record.value, {}};
  } else if (record.kind == HEDDLE_BARRIER_LEAVE) {
    threads_[record.thread].left_to_leave.erase(record.address);
  } else if (record.kind == HEDDLE_BARRIER_ARRIVE) {
    Barrier& barrier = barriers_[record.address];
    barrier.arrived.push_back(record.thread);
    if (barrier.arrived.size() < barrier.count || barrier.count == 0) return;
    for (const uint32_t thread : barrier.arrived) threads_[thread].left_to_leave.insert(record.address);
    barrier.arrived.clear();
  }
}

}  // namespace heddle::predict
