// SPDX-License-Identifier: Apache-2.0
#include "naming/object_collector.h"

namespace heddle::naming {

ObjectCollector::ObjectCollector(const trace::Trace& trace, const EventOrder& order)
    : trace_(trace), order_(order), allocations_(trace.threads.size()), stack_objects_(trace.threads.size()) {}

std::vector<Object> ObjectCollector::collect() {
  for (const uint32_t event : order_.events()) visit(event, trace_.events[event].record);
  return std::move(objects_);
}

void ObjectCollector::visit(uint32_t event, const HeddleRecord& record) {
  const uint32_t thread = record.thread;
  switch (record.kind) {
    case HEDDLE_ALLOC: {
      // Failed allocations count, so that they do not shift the names of later ones.
      const uint32_t index = allocations_[thread]++;
      if (record.address == 0 || (record.flags & HEDDLE_FLAG_FAILED)) break;
      begin_object(heap_, {ObjectKind::kHeap, thread, index, record.address, record.value, event, kNoEvent});
      break;
    }
    case HEDDLE_FREE: end_object(heap_, record.address, event); break;
    case HEDDLE_STACK_OBJECT: {
      const auto index = static_cast<uint32_t>(stack_objects_[thread].size());
      stack_objects_[thread].push_back(static_cast<uint32_t>(objects_.size()));
      begin_object(stacks_, {ObjectKind::kStack, thread, index, record.address, record.value, event, kNoEvent});
      break;
    }
    case HEDDLE_STACK_OBJECT_END: end_object(stacks_, record.address, event); break;
    case HEDDLE_THREAD_END: end_thread(thread, event); break;
    default: break;
  }
}

// Whatever lies in its place has ended, whether or not that was recorded.
void ObjectCollector::begin_object(Living& living, const Object& object) {
  const uint64_t last = object.address + (object.size > 0 ? object.size - 1 : 0);
  auto next = living.upper_bound(last < object.address ? UINT64_MAX : last);
  while (next != living.begin()) {
    const auto older = std::prev(next);
    Object& other = objects_[older->second];
    const uint64_t extent = other.size > 0 ? other.size : 1;
    if (older->first < object.address && object.address - older->first >= extent) break;
    other.died = object.born;
    next = living.erase(older);
  }
  living[object.address] = static_cast<uint32_t>(objects_.size());
  objects_.push_back(object);
}

void ObjectCollector::end_object(Living& living, uint64_t address, uint32_t event) {
  const auto found = living.find(address);
  // In a free run this may be the end of one whose place another has taken already.
  if (found == living.end() || !order_.surely_before(objects_[found->second].born, event)) return;
  objects_[found->second].died = event;
  living.erase(found);
}

void ObjectCollector::end_thread(uint32_t thread, uint32_t event) {
  for (const uint32_t number : stack_objects_[thread]) {
    if (objects_[number].died == kNoEvent) end_object(stacks_, objects_[number].address, event);
  }
}

}  // namespace heddle::naming
