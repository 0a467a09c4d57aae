// SPDX-License-Identifier: Apache-2.0
//
// The machine on which witnesses are checked (witness.h): what threads, objects of
// synchronisation and memory are like, one operation after the other. It knows
// nothing of questions and solvers, nor of what they were made from.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "abi/event.h"

namespace heddle::predict {

// Byte `number` of a value of up to 16 bytes.
inline uint8_t byte_of(uint32_t number, uint64_t low, uint64_t high) {
  return static_cast<uint8_t>(number < 8 ? low >> (8 * number) : high >> (8 * (number - 8)));
}

class WitnessMachine {
 public:
  using Memory = std::unordered_map<uint64_t, uint8_t>;  // by address; what is not there is not known

  WitnessMachine(size_t threads, const Memory& initial)
      : next_(threads, 0), has_ended_(threads, false), memory_(initial) {}

  // Until then signals wake whom the trace says; afterwards whom wake() says.
  void end_history() { is_history_ = false; }

  // Why the operation cannot happen now as it was recorded; empty: it can.
  std::string refusal(const HeddleRecord& record, bool value_matters);
  // Other threads without whom the operation cannot happen now: they hold its lock, or are to be joined and have not
  // ended.
  std::vector<uint32_t> kept_waiting_by(const HeddleRecord& record);
  void perform(const HeddleRecord& record);
  void wake(uint32_t thread) { woken_.insert(thread); }

  uint32_t next(uint32_t thread) const { return next_[thread]; }  // index of its next operation
  bool exists(uint32_t thread) const { return thread == 0 || created_.count(thread) > 0; }
  bool has_ended(uint32_t thread) const { return has_ended_[thread]; }
  bool is_freed(uint64_t address) const;

 private:
  static constexpr uint32_t kNobody = HEDDLE_NO_THREAD;

  static bool gave_up(const HeddleRecord& record) {
    return record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED);
  }

  struct Lock {
    uint32_t owner = kNobody, depth = 0;
    std::multiset<uint32_t> readers = {};
    std::set<uint32_t> lined_up = {};  // writers
    bool prefers_writers = false;
  };
  static void take(Lock& lock, uint32_t thread);
  static void give(Lock& lock, uint32_t thread);
  struct Barrier {
    uint64_t count = 0;
    std::set<uint32_t> arrived, leaving;
  };
  struct Initialisation {
    bool is_done = false;
    uint32_t runner = kNobody;
  };

  bool finds(const HeddleRecord& record) const;
  void write(const HeddleRecord& record, uint64_t low, uint64_t high);
  std::string refusal_of_object(const HeddleRecord& record);
  void use_object(const HeddleRecord& record);
  void signal(const HeddleRecord& record);

  bool is_history_ = true;
  std::vector<uint32_t> next_;   // by thread
  std::vector<bool> has_ended_;  // by thread
  std::set<uint64_t> created_;
  uint32_t atomic_ = kNobody;  // who is in an atomic section
  Memory memory_;
  std::map<uint64_t, uint64_t> blocks_, freed_;  // sizes by address
  std::unordered_map<uint64_t, Lock> locks_;
  std::unordered_map<uint64_t, std::set<uint32_t>> waiting_;
  std::set<uint32_t> woken_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::unordered_map<uint64_t, uint64_t> semaphores_;
  std::unordered_map<uint64_t, Initialisation> initialisations_;
};

}  // namespace heddle::predict
