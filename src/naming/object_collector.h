// SPDX-License-Identifier: Apache-2.0
//
// The first half of Objects: walks over the events in their order and notes when
// heap and stack objects come to life and end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "naming/event_order.h"
#include "naming/object.h"
#include "trace/trace.h"

namespace heddle::naming {

class ObjectCollector {
 public:
  ObjectCollector(const trace::Trace& trace, const EventOrder& order);

  // Heap and stack objects, in order of birth.
  std::vector<Object> collect();

 private:
  using Living = std::map<uint64_t, uint32_t>;  // number in objects_, by address

  void visit(uint32_t event, const HeddleRecord& record);
  void begin_object(Living& living, const Object& object);
  void end_object(Living& living, uint64_t address, uint32_t event);
  void end_thread(uint32_t thread, uint32_t event);

  const trace::Trace& trace_;
  const EventOrder& order_;
  std::vector<Object> objects_;
  Living heap_;
  Living stacks_;
  // By thread.
  std::vector<uint32_t> allocations_;
  std::vector<std::vector<uint32_t>> stack_objects_;
};

}  // namespace heddle::naming
