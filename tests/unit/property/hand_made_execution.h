// SPDX-License-Identifier: Apache-2.0
//
// Executions written down by hand, one operation a line, in their order.
//
//   HandMadeExecution run(2);
//   const auto write = run.store(0, kX, HEDDLE_ORDER_NOT_ATOMIC);
//   const auto read = run.load(1, kX, HEDDLE_ORDER_NOT_ATOMIC);
#pragma once

#include <cstdint>

#include "causal/execution.h"

namespace heddle::property {

class HandMadeExecution {
 public:
  // Threads but the first begin with nothing; start them by create() and start().
  explicit HandMadeExecution(size_t threads) { execution_.threads.resize(threads); }

  const causal::Execution& execution() const { return execution_; }

  causal::EventId add(causal::ThreadId thread, uint8_t kind, uint64_t address = 0, uint64_t value = 0,
                      uint8_t flags = 0) {
    HeddleRecord record = {};
    record.kind = kind;
    record.address = address;
    record.value = value;
    record.flags = flags;
    return add(thread, record);
  }
  causal::EventId load(causal::ThreadId thread, uint64_t address, uint8_t order, uint8_t size = 4) {
    return access(thread, HEDDLE_LOAD, address, order, size, 0);
  }
  causal::EventId store(causal::ThreadId thread, uint64_t address, uint8_t order, uint8_t size = 4) {
    return access(thread, HEDDLE_STORE, address, order, size, 0);
  }
  causal::EventId update(causal::ThreadId thread, uint64_t address, uint8_t order) {
    return access(thread, HEDDLE_RMW, address, order, 4, 0);
  }
  causal::EventId failed_exchange(causal::ThreadId thread, uint64_t address, uint8_t order) {
    return access(thread, HEDDLE_CAS, address, order, 4, HEDDLE_FLAG_FAILED);
  }
  causal::EventId fence(causal::ThreadId thread, uint8_t order) { return access(thread, HEDDLE_FENCE, 0, order, 0, 0); }
  void flush(causal::EventId store) { execution_.order.push_back({store, true}); }

 private:
  causal::EventId access(causal::ThreadId thread, uint8_t kind, uint64_t address, uint8_t order, uint8_t size,
                         uint8_t flags) {
    HeddleRecord record = {};
    record.kind = kind;
    record.size = size;
    record.order = order;
    record.flags = flags;
    record.address = address;
    return add(thread, record);
  }

  causal::EventId add(causal::ThreadId thread, HeddleRecord record) {
    auto& operations = execution_.threads[thread].operations;
    record.thread = thread;
    record.index = static_cast<uint32_t>(operations.size());
    record.site = 100 * thread + record.index + 1;
    operations.push_back(record);
    execution_.order.push_back({{thread, record.index}, false});
    return {thread, record.index};
  }

  causal::Execution execution_;
};

}  // namespace heddle::property
