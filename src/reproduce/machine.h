// SPDX-License-Identifier: Apache-2.0
//
// Performs the operations of a failing run in an order that is given step by
// step: memory, store buffers, locks and waits as in a controlled run, with the
// values that the reads find. So it tells whether an order explains the run, and
// if not, which condition does not hold. Nothing of the solver is used here: an
// order is believed only when this machine has performed it.
//
//   Machine machine(run, MemoryModel::kSc);
//   while (...) if (machine.can_step(thread)) machine.step(thread);
//   if (machine.first_broken()) ...
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reproduce/failing_run.h"
#include "reproduce/sync_objects.h"
#include "schedule/memory_model.h"

namespace heddle::reproduce {

inline constexpr OperationId kNoOperation = {kNobody, kNobody};  // as a source: the initial value

class Machine {
 public:
  // Without `keeps_sources` it is cheap to copy, and cannot say where reads took their values from.
  Machine(const FailingRun& run, schedule::MemoryModel model, bool keeps_sources = true);

  uint32_t position(uint32_t thread) const { return threads_[thread].position; }
  bool has_ended(uint32_t thread) const { return position(thread) == run_.threads[thread].operations.size(); }
  // The failing thread has come to its end, and others as far as they did before that.
  bool has_failed() const;
  // Whether the next operation of the thread can happen: nobody holds what it
  // needs, and its buffer allows it. Not whether conditions hold.
  bool can_step(uint32_t thread) const;
  // Performs it.
  void step(uint32_t thread);

  bool has_stores(uint32_t thread) const { return !threads_[thread].buffer.empty(); }
  std::vector<uint32_t> flushable(uint32_t thread) const;  // indices of operations
  bool can_flush(uint32_t thread, uint32_t index) const;
  void flush(uint32_t thread, uint32_t index);

  // Whether the conditions that follow the thread's next operation would hold if it happened now.
  bool fits(uint32_t thread) const;

  // What was found wrong first, as the number of a condition of its thread.
  struct Broken {
    uint32_t thread = 0, condition = 0;
  };
  const std::vector<Broken>& broken() const { return broken_; }

  // What a read that happened found: its writes, by byte, in a row as long as the read.
  const std::vector<OperationId>& sources(OperationId read) const { return sources_.at(read); }
  bool has_read(OperationId read) const { return sources_.contains(read); }
  uint64_t address(OperationId access) const { return addresses_.at(access); }
  const solve::Assignment& values() const { return values_; }
  uint64_t value(solve::Term term) const;
  // What the thread's next operation, a read that can happen, would find now.
  uint64_t would_read(uint32_t thread) const;
  // Of memory, or of the object that the thread's next operation is about.
  uint64_t next_address(uint32_t thread) const;
  // What is in memory.
  uint64_t in_memory(uint64_t address, uint32_t size) const;
  // The store that waits longest, as the index of its operation; there must be one.
  uint32_t oldest_store(uint32_t thread) const { return threads_[thread].buffer.front().index; }
  // The youngest one that covers all or some of an address.
  std::optional<uint32_t> waiting_store(uint32_t thread, uint64_t address) const;
  static constexpr size_t kMostWaitingStores =
      64;  // of a thread, in orders that are guessed; processors have about as many
  size_t stores(uint32_t thread) const { return threads_[thread].buffer.size(); }

  // For comparing states: memory that was ever touched, and objects of synchronisation.
  template <typename Visit>
  void for_each_byte(Visit visit) const {
    for (const auto& [address, byte] : memory_) visit(address, byte.value);
  }
  uint64_t hash_of_objects() const { return objects_.hash(); }

 private:
  struct Byte {
    uint8_t value = 0;
    OperationId source = kNoOperation;
  };
  struct Store {
    uint32_t index = 0;
    uint64_t address = 0, value = 0;
    uint32_t size = 0;
    uint32_t markers = 0;  // release stores and fences of the thread up to here
  };
  struct ThreadState {
    uint32_t position = 0, next_condition = 0, markers = 0;
    bool is_created = false;
    mutable std::optional<uint64_t> next_address = {};  // of the next operation, once it was asked for
    std::deque<Store> buffer;
  };

  Byte byte_at(uint64_t address) const;
  std::optional<std::vector<Byte>> seen(uint32_t thread, uint64_t address, uint32_t size) const;
  void read(uint32_t thread, const Operation& operation, OperationId id, uint64_t address);
  void write(uint64_t address, uint64_t value, uint32_t size, OperationId source);
  ObjectUse next_use(uint32_t thread) const;
  void check_conditions(uint32_t thread);

  const FailingRun& run_;
  const schedule::MemoryModel model_;
  const bool keeps_sources_;
  std::vector<ThreadState> threads_;
  std::unordered_map<uint64_t, Byte> memory_;
  SyncObjects objects_;
  std::map<OperationId, std::vector<OperationId>> sources_;
  std::map<OperationId, uint64_t> addresses_;
  mutable solve::Assignment values_;  // `fits` tries one, and takes it back
  std::vector<Broken> broken_;
};

}  // namespace heddle::reproduce
