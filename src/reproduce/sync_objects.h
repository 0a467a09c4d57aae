// SPDX-License-Identifier: Apache-2.0
//
// The objects of synchronisation of the machine (machine.h): the state machines of
// src/semantics by address, and queues in which it is open who woke whom.
//
// An operation can happen when it would come out as it did in the run that it is
// known from: a lock that was taken must be free, an attempt that failed must fail.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "reproduce/failing_run.h"
#include "reproduce/wait_queue.h"
#include "semantics/barrier.h"
#include "semantics/mutex.h"
#include "semantics/once.h"
#include "semantics/rwlock.h"
#include "semantics/semaphore.h"

namespace heddle::reproduce {

// An operation on objects of its thread, with addresses that are known by now.
struct ObjectUse {
  const Operation& operation;
  uint32_t thread = 0;
  uint64_t object = 0;
  uint64_t mutex = 0;  // of a condition wait
};

class SyncObjects {
 public:
  bool can_happen(const ObjectUse& use) const;
  void perform(const ObjectUse& use);
  // Equal where nothing that is yet to come can tell a difference, as long as the threads are at the same places.
  uint64_t hash() const;

 private:
  struct Threads : std::set<uint32_t> {
    void insert_all(const Threads& others) { insert(others.begin(), others.end()); }
  };

  bool can_happen_in_queue(const ObjectUse& use) const;
  bool can_take_mutex(const ObjectUse& use) const;
  void perform_in_queue(const ObjectUse& use);

  std::map<uint64_t, semantics::MutexState> mutexes_;
  std::map<uint64_t, semantics::RwlockState<Threads>> rwlocks_;
  std::map<uint64_t, semantics::BarrierState<Threads>> barriers_;
  std::map<uint64_t, semantics::SemaphoreState> semaphores_;
  std::map<uint64_t, semantics::OnceState> onces_;
  std::map<uint64_t, WaitQueue> queues_;  // of conditions and futex words
};

}  // namespace heddle::reproduce
