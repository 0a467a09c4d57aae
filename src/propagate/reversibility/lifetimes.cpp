// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/lifetimes.h"

#include <algorithm>

namespace heddle::propagate {

void Lifetimes::end_object(ObjectNumber object, uint32_t event, uint32_t thread) {
  lifetimes_[object].end = event;
  lifetimes_[object].ended = clocks_.now(thread);
}

// The youngest that is there for certain; if none is, the youngest.
ObjectNumber Lifetimes::take_freed(uint64_t address, uint32_t thread) {
  const auto found = heap_.find(address);
  if (found == heap_.end() || found->second.empty()) return kNobody;
  auto& living = found->second;
  auto meant = std::find_if(living.rbegin(), living.rend(),
                            [&](ObjectNumber object) { return clocks_.before(lifetimes_[object].born, thread); });
  if (meant == living.rend()) meant = living.rbegin();
  const ObjectNumber object = *meant;
  living.erase(std::next(meant).base());
  return object;
}

ObjectNumber Lifetimes::end(uint32_t event, const HeddleRecord& record) {
  if (record.kind == HEDDLE_FREE) {
    const ObjectNumber object = take_freed(record.address, record.thread);
    if (object != kNobody) end_object(object, event, record.thread);
    return object;
  }
  auto& living = stack_objects_[record.thread];
  const auto found = std::find_if(living.rbegin(), living.rend(),
                                  [&](const StackObject& object) { return object.address == record.address; });
  if (found == living.rend()) return kNobody;
  const ObjectNumber object = found->object;
  living.erase(std::next(found).base());
  end_object(object, event, record.thread);
  return object;
}

std::vector<ObjectNumber> Lifetimes::end_thread(uint32_t event, uint32_t thread) {
  std::vector<ObjectNumber> ended;
  for (const StackObject& object : stack_objects_[thread]) {
    end_object(object.object, event, thread);
    ended.push_back(object.object);
  }
  stack_objects_[thread].clear();
  return ended;
}

ObjectNumber Lifetimes::object_at(uint32_t cell, uint64_t address, uint32_t thread) const {
  bool covered = false, over = false;
  const auto& objects = in_cell_[cell];
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
    const Lifetime& life = lifetimes_[*object];
    if (address < life.address || address - life.address >= life.size) continue;
    covered = true;
    if (!clocks_.before(life.born, thread)) continue;
    if (!ended_before(*object, thread)) return *object;
    over = true;
  }
  return covered && !over ? kUnclear : kNobody;
}

}  // namespace heddle::propagate
