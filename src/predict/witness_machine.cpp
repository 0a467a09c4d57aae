// SPDX-License-Identifier: Apache-2.0
//
// Threads and memory. Objects of synchronisation are in witness_objects.cpp.
#include "predict/witness_machine.h"

#include <algorithm>

namespace heddle::predict {

std::string WitnessMachine::refusal(const HeddleRecord& record, bool value_matters) {
  if (atomic_ != kNobody && atomic_ != record.thread) return "another thread is in an atomic section";
  switch (record.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_AWAIT:
      if (value_matters && !finds(record)) return "it reads another value";
      break;
    case HEDDLE_THREAD_START:
      if (record.thread != 0 && !created_.count(record.thread)) return "its thread is not created";
      break;
    case HEDDLE_THREAD_JOIN:
      if (!gave_up(record) && record.value < has_ended_.size() && !has_ended_[record.value])
        return "the thread to join has not ended";
      break;
    default: return refusal_of_object(record);
  }
  const bool is_access = record.kind == HEDDLE_STORE || record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW ||
                         record.kind == HEDDLE_CAS;
  if (is_access && is_freed(record.address)) return "its memory is freed";
  return "";
}

void WitnessMachine::perform(const HeddleRecord& record) {
  switch (record.kind) {
    case HEDDLE_STORE:
    case HEDDLE_EXTERN_WRITE: write(record, record.value, record.value2); break;
    case HEDDLE_RMW: write(record, record.value2, 0); break;
    case HEDDLE_CAS:
      if (!gave_up(record)) write(record, record.value2, 0);
      break;
    case HEDDLE_ALLOC:
      blocks_[record.address] = record.value;
      freed_.erase(record.address);
      break;
    case HEDDLE_FREE:
      if (blocks_.count(record.address)) freed_[record.address] = blocks_[record.address];
      break;
    case HEDDLE_THREAD_CREATE:
      if (!gave_up(record)) created_.insert(record.value);
      break;
    case HEDDLE_THREAD_END: has_ended_[record.thread] = true; break;
    case HEDDLE_ATOMIC_BEGIN: atomic_ = record.thread; break;
    case HEDDLE_ATOMIC_END: atomic_ = kNobody; break;
    default: use_object(record); break;
  }
  next_[record.thread] = record.index + 1;
}

bool WitnessMachine::is_freed(uint64_t address) const {
  auto block = freed_.upper_bound(address);
  if (block == freed_.begin()) return false;
  --block;
  return address - block->first < block->second;
}

// Bytes that are not known are other ones.
bool WitnessMachine::finds(const HeddleRecord& record) const {
  const uint32_t size = record.kind == HEDDLE_LOAD ? record.size : std::min<uint32_t>(record.size, 8);
  for (uint32_t byte = 0; byte < size; ++byte) {
    const auto found = memory_.find(record.address + byte);
    if (found == memory_.end() || found->second != byte_of(byte, record.value, record.value2)) return false;
  }
  return true;
}

void WitnessMachine::write(const HeddleRecord& record, uint64_t low, uint64_t high) {
  for (uint32_t byte = 0; byte < record.size; ++byte) memory_[record.address + byte] = byte_of(byte, low, high);
}

}  // namespace heddle::predict
