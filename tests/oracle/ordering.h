// SPDX-License-Identifier: Apache-2.0
//
// Happens-before of C11 along one run, by vector clocks. Edges come from
// program order, creation and join, mutexes (also those that condition
// variables take back), reader-writer locks (readers do not order readers),
// semaphores (a wait is after all posts so far), barriers (all who arrived are
// before all who leave), release/acquire atomics and fences. A try that fails
// orders nothing. A release sequence is continued by read-modify-writes only, as
// in C++20; consume counts as acquire.
//
// C11 does not say what accesses of different sizes to the same bytes do; here
// an access acquires from every store of which it reads a byte.
//
// On request, reads that take part in a race (one side is not atomic) order as
// well, from the reader's next operation on.
//
// Feed it every step of the run, in order. Two runs whose Ordering has the same
// key, at equal states, have the same races from there on, if they also agree on
// which accesses have happened.
#pragma once

#include <array>
#include <string>

#include "oracle/machine.h"

namespace heddle::oracle {

class Ordering {
 public:
  Ordering() = default;
  explicit Ordering(bool racy_reads_order) : racy_reads_order_(racy_reads_order) {}

  // `before` and `after`: the states around the step.
  void apply(const Transition& transition, const State& before, const State& after);

  // Whether the operation at `place` of thread `earlier`, which has happened,
  // happens before the next operation of thread `later`.
  bool before(int earlier, int place, int later) const;

  void append_key(std::string& key, size_t threads) const;

 private:
  // By thread: how many places of it are known to have been passed.
  using Clock = std::array<uint8_t, kMaximumThreads>;

  struct ThreadClocks {
    Clock own = {};
    Clock released = {};  // at the last release fence
    Clock acquired = {};  // what an acquire fence would bring
    Clock late = {};      // what racy reads bring to the next operation
    std::array<Clock, kMaximumBuffered> buffer = {};
    uint8_t buffered = 0;
  };

  static void join(Clock& clock, const Clock& other);
  ThreadClocks& of(int thread) { return threads_[static_cast<size_t>(thread)]; }
  Clock found(const Operation& access) const;
  void write(const Operation& access, const Clock& clock);
  void acquire(ThreadClocks& thread, MemoryOrder order, const Clock& clock);
  void use_racy_reads(const Transition& transition);
  void access_memory(const Transition& transition);
  void flush(ThreadClocks& thread, const BufferedStore& store, size_t index);
  void use_fence(ThreadClocks& thread, MemoryOrder order);
  void synchronise(const Transition& transition, const State& before, const State& after);
  void use_barrier(const Transition& transition, const State& before, const State& after);

  std::array<ThreadClocks, kMaximumThreads> threads_ = {};
  std::array<Clock, kMemoryBytes> bytes_ = {};    // what who acquires from the byte gets
  std::array<Clock, kMemoryBytes> written_ = {};  // what the last writer of the byte knew
  std::array<bool, kMemoryBytes> written_plainly_ = {};
  bool racy_reads_order_ = false;
  std::array<Clock, kMutexes> mutexes_ = {};
  std::array<Clock, kReaderWriterLocks> writers_ = {}, readers_ = {};
  std::array<Clock, kSemaphores> semaphores_ = {};
  std::array<Clock, kBarriers> barriers_ = {};
};

}  // namespace heddle::oracle
