// SPDX-License-Identifier: Apache-2.0
//
// Which operations of a run happen before which, by the rules of C11 and C++20?
// Given the operations in an order in which they happened, vector clocks say it.
// Whoever releases passes on what it knows, whoever acquires learns it:
//
//   creating a thread -> its start           its end -> joining it
//   unlocking         -> later locking       (readers do not order readers)
//   posting           -> later waits         all who arrive at a barrier -> all who leave it
//   initialised once  -> who finds it done   end of an atomic section -> later beginnings
//   release store     -> acquire load that takes a byte from it, or from a
//                        read-modify-write that continues its release sequence
//
// A release fence lends its knowledge to the atomic stores after it, an acquire
// fence collects that of the atomic loads before it. Consume counts as acquire,
// sequentially consistent as both. An attempt that fails orders nothing. A
// condition orders only through its mutex. Under TSO and PSO a store's message
// reaches memory with its flush; what a load takes from its own buffer teaches
// nothing. On request, a read that is not atomic, or takes what a store that is
// not atomic wrote, orders as well, from the reader's next operation on: what
// follows from a race is then not taken for another one. Sending signals and operations on descriptors order as well:
// the kernel sees to that.
//
// Shares no code with the solver and the closures: races are confirmed by it.
#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causal/execution.h"
#include "causal/operation.h"

namespace heddle::property {

// Accesses of different threads to the same byte, at least one of which writes
// and at least one of which is not atomic.
bool conflict(const HeddleRecord& one, const HeddleRecord& other);

// `to` took bytes that `from` wrote.
struct ReadLink {
  causal::EventId from, to;
};

// Why one operation is before another of another thread. By an object: `to`
// acquired it after `from` had released it, and `reads` is empty. By memory:
// the links of the release sequence, first to last.
struct Synchronisation {
  causal::EventId from, to;
  std::vector<ReadLink> reads;
};

// Whether reads order that take part in a race.
enum class RacyReads : uint8_t { kOrderNothing, kOrder };

class HappensBefore {
 public:
  // `order`: operations and flushes of `execution`, all or some, such that
  // nothing of a thread is left out before something that is there. Used during
  // the construction only; `execution` must outlive this.
  HappensBefore(const causal::Execution& execution, std::span<const causal::Happening> order, causal::MemoryModel model,
                RacyReads racy_reads = RacyReads::kOrderNothing);

  // Both must be in the order. False for a == b.
  bool before(causal::EventId a, causal::EventId b) const { return !(a == b) && clock(b)[a.thread] > a.index; }

  // For two operations of different threads of which `a` is before `b`: one
  // path between them; the operations of one thread in between are not named.
  std::vector<Synchronisation> path(causal::EventId a, causal::EventId b) const;

  // Conflicting accesses that are not ordered, earlier one first. Of each pair
  // of sites and threads that races at a place in memory at least one.
  std::vector<std::pair<causal::EventId, causal::EventId>> races() const;

 private:
  static constexpr uint32_t kNoChain = ~0u;
  enum class ObjectKind : uint8_t {
    kMutex,
    kWriters,
    kReaders,
    kSemaphore,
    kBarrier,
    kOnce,
    kAtomic,
    kSignals,
    kOutside
  };
  using Object = std::array<uint64_t, 3>;  // kind, address, round

  // What `event`, a release store or fence, knew comes along with these reads.
  struct Release {
    causal::EventId event;
    uint32_t chain = kNoChain;
  };
  // Of one byte: who wrote it, and what who acquires it learns.
  struct Message {
    causal::EventId write;
    std::vector<Release> releases;
  };
  struct Chain {
    ReadLink last;
    uint32_t previous;
  };
  struct Buffered {
    causal::EventId event;
    Message message;
  };
  struct ThreadState {
    std::vector<uint32_t> clocks;    // one after the other, by operation
    std::vector<Release> release;    // the last release fence, if any
    std::vector<Release> collected;  // for an acquire fence
    std::vector<Buffered> buffer;
    std::vector<Release> late;  // of racy reads; known from the next operation on
  };

  const uint32_t* clock(causal::EventId event) const {
    return &states_[event.thread].clocks[size_t{event.index} * threads_];
  }
  uint32_t* own_clock(causal::EventId event) { return &states_[event.thread].clocks[size_t{event.index} * threads_]; }
  static Object object(ObjectKind kind, uint64_t address = 0, uint64_t round = 0);
  static void keep(std::vector<Release>& releases, const Release& release);

  void perform(causal::EventId event);
  void synchronise(causal::EventId event, const HeddleRecord& operation);
  void use_thread(causal::EventId event, const HeddleRecord& operation);
  void use_lock(causal::EventId event, const HeddleRecord& operation);
  void use_mutex_of_condition(causal::EventId event, const HeddleRecord& operation);
  void pass_on(const Object& object, causal::EventId event, const HeddleRecord& operation);
  void use_fence(causal::EventId event, uint8_t order);
  void access_memory(causal::EventId event, const HeddleRecord& access);
  void flush(causal::EventId event);
  void write(const HeddleRecord& access, const Message& message);
  void note_racy_read(causal::EventId event, const HeddleRecord& access);
  std::vector<Release> found_by(causal::EventId event, const HeddleRecord& access);
  void release(const Object& object, causal::EventId event);
  void acquire(const Object& object, causal::EventId event);
  void learn(causal::EventId event, const Release& release);

  const causal::Execution& execution_;
  const causal::MemoryModel model_;
  const bool racy_reads_order_;
  const size_t threads_;
  std::vector<ThreadState> states_;
  std::vector<causal::EventId> accesses_;  // in their order
  std::map<Object, std::vector<Release>> objects_;
  std::map<uint64_t, causal::ThreadId> writers_;  // of reader-writer locks
  std::vector<causal::EventId> created_by_;
  std::unordered_map<uint64_t, Message> bytes_;
  std::vector<Chain> chains_;
  std::map<causal::EventId, std::vector<Release>> learned_;  // by acquiring operation: what told it something new
};

}  // namespace heddle::property
