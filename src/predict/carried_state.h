// SPDX-License-Identifier: Apache-2.0
//
// Where a trace stands at some event: what memory holds, who holds which lock,
// who waits for what. A trace is looked at in windows, and this is what a window
// has to know of everything before it. It grows with the number of places in
// memory and of objects, not with the number of events.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "abi/event.h"
#include "causal/memory_image.h"

namespace heddle::predict {

class CarriedState {
 public:
  enum class Wait : uint8_t { kNone, kForSignal, kWoken, kForWord };

  struct ThreadState {
    bool has_started = false, has_ended = false;
    std::vector<HeddleRecord> held;  // operations that acquired what it holds
    Wait wait = Wait::kNone;
    HeddleRecord wait_began = {};      // unless kNone
    std::set<uint64_t> left_to_leave;  // barriers that have opened for it
  };
  struct Barrier {
    uint64_t count = 0;
    std::vector<uint32_t> arrived;  // threads, in the round that is not complete
  };

  explicit CarriedState(size_t threads) : threads_(threads) {}

  // The next event of the trace. Threads are known by their numbers there.
  void apply(const HeddleRecord& record);

  const causal::MemoryImage& memory() const { return memory_; }
  size_t threads() const { return threads_.size(); }
  const ThreadState& thread(uint32_t number) const { return threads_[number]; }
  const std::map<uint64_t, Barrier>& barriers() const { return barriers_; }
  bool is_initialised(uint64_t once) const { return initialised_.count(once) > 0; }
  uint64_t block_size(uint64_t address) const;  // 0: none lives there

 private:
  void access(const HeddleRecord& record);
  void use_section(const HeddleRecord& record);
  void wait_or_wake(const HeddleRecord& record);
  void use_barrier(const HeddleRecord& record);

  causal::MemoryImage memory_;
  std::vector<ThreadState> threads_;
  std::map<uint64_t, Barrier> barriers_;
  std::set<uint64_t> initialised_;
  std::unordered_map<uint64_t, uint64_t> blocks_;
};

}  // namespace heddle::predict
