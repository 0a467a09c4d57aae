// SPDX-License-Identifier: Apache-2.0
//
// The store buffers of a trace under TSO or PSO, followed event by event, to see
// whether each store left its buffer when it might and each load got what it had
// to (src/abi/store_buffer.h says what that is). It shares no code with the
// runtime's buffers.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "abi/event.h"

namespace heddle::trace {

class StoreBuffers {
 public:
  // `by_location`: PSO.
  StoreBuffers(size_t threads, bool by_location) : by_location_(by_location), threads_(threads) {}

  // Takes every visible event of the trace; says what is wrong with it.
  std::string take(const HeddleRecord& record);
  // A FLUSH record: the store leaves the buffer.
  std::string flush(const HeddleRecord& record);
  // The low and high half of what a load gets from its thread's own buffer, if anything.
  std::optional<std::array<uint64_t, 2>> forwarded(const HeddleRecord& load) const;

 private:
  struct Store {
    HeddleRecord record;
    uint32_t markers = 0;  // put before it
  };
  struct Buffer {
    std::list<Store> stores;  // oldest first
    uint32_t markers = 0;
  };

  // The newest own store that shares a byte with the load.
  const Store* newest_overlapping(const HeddleRecord& load) const;

  bool by_location_;
  std::vector<Buffer> threads_;
};

}  // namespace heddle::trace
