// SPDX-License-Identifier: Apache-2.0
//
// What is left of synchronisation when some operations have been performed: a few
// operations that leave the same. A lock that was taken and given back leaves
// nothing; one that is held leaves that it was taken.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "abi/event.h"

namespace heddle::reproduce {

class LastingEffects {
 public:
  // In their order. The value of a COND_SIGNAL is one more than the thread that it woke, or 0.
  void perform(const HeddleRecord& record);
  // The NOTIFY that was performed last woke this thread.
  void wake(uint32_t thread) { wake(thread, last_wake_); }

  std::vector<HeddleRecord> operations() const;
  // Waits that no signal has ended yet, the oldest first.
  std::vector<HeddleRecord> asleep() const;

 private:
  struct Wait {
    HeddleRecord wait = {};
    HeddleRecord signal = {};
    bool is_woken = false;
    uint64_t number = 0;
  };
  struct Barrier {
    HeddleRecord made = {};
    std::vector<HeddleRecord> round;  // since nobody was last inside
    uint64_t inside = 0;
  };
  void take(const HeddleRecord& record, uint64_t lock, HeddleKind kind);
  void give_back(uint32_t thread, uint64_t lock);
  void use_lock(const HeddleRecord& record);
  void use_queue(const HeddleRecord& record);
  void wake(uint32_t thread, const HeddleRecord& waker);
  void use_semaphore(const HeddleRecord& record);
  void use_barrier(const HeddleRecord& record);
  void use_once(const HeddleRecord& record);

  std::vector<HeddleRecord> created_;
  std::set<uint64_t> ended_;                                                 // threads
  std::map<std::pair<uint32_t, uint64_t>, std::vector<HeddleRecord>> held_;  // by thread and lock
  std::map<uint32_t, HeddleRecord> lined_up_;                                // by thread: writers that wait
  std::map<uint32_t, Wait> waits_;                                           // by thread
  std::map<uint64_t, HeddleRecord> semaphores_;                              // as if it had just been made
  std::map<uint64_t, Barrier> barriers_;
  std::map<uint64_t, std::vector<HeddleRecord>> onces_;  // entered, and perhaps done
  HeddleRecord last_wake_ = {};
  uint64_t wait_count_ = 0;
};

}  // namespace heddle::reproduce
