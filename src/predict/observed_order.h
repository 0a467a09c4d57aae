// SPDX-License-Identifier: Apache-2.0
//
// Happens-before of a trace in the order that was seen, event by event, with
// memory that grows with threads, places and objects, not with events. The rules
// are those of property/happens_before.h, which keeps a clock for every event of
// an execution; this keeps only the present one of each thread.
//
// With racy reads, a read that is not atomic, or takes what a store that is not
// atomic wrote, orders as well, from the reader's next operation on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "abi/event.h"
#include "property/happens_before.h"

namespace heddle::predict {

class ObservedOrder {
 public:
  ObservedOrder(size_t threads, property::RacyReads racy_reads);

  // The next visible event of the trace.
  void apply(const HeddleRecord& record);

  // Whether operation `index` of `thread` is before the event applied last, of another thread.
  bool before(uint32_t thread, uint32_t index) const { return (*states_[last_].clock)[thread] > index; }

 private:
  using Clock = std::vector<uint32_t>;  // by thread: so many of its operations are before
  using SharedClock = std::shared_ptr<Clock>;

  // What a thread had done and knew at some point; null: nothing.
  struct Point {
    uint32_t thread = 0, length = 0;
    SharedClock clock;
  };
  struct ThreadState {
    uint32_t length = 0;      // operations so far
    SharedClock clock;        // of others; shared with points, so copied before it changes
    Clock fenced, collected;  // at the last release fence; for an acquire fence
    std::vector<Point> late;  // of racy reads
    Point created;
  };
  struct Message {  // who acquires these bytes of the word learns this
    uint8_t bytes;
    Clock clock;
  };
  struct Writer {  // of these bytes of the word
    uint8_t bytes;
    bool is_plain;
    Point point;
  };
  struct Word {
    std::vector<Message> messages;
    std::vector<Writer> writers;  // only with racy reads
  };
  enum class Kind : uint8_t { kMutex, kWriters, kReaders, kSemaphore, kBarrier, kOnce, kAtomic, kSignals, kOutside };
  using Object = std::array<uint64_t, 3>;  // kind, address, round
  static Object object(Kind kind, uint64_t address = 0, uint64_t round = 0) {
    return {static_cast<uint64_t>(kind), address, round};
  }

  Point here(uint32_t thread) const { return {thread, states_[thread].length, states_[thread].clock}; }
  void learn(uint32_t thread, const Clock& clock);
  void learn(uint32_t thread, const Point& point);
  void add_to(Clock& clock, uint32_t thread) const;
  void release(const Object& object, uint32_t thread) { add_to(objects_[object], thread); }
  void acquire(const Object& object, uint32_t thread);
  void synchronise(const HeddleRecord& record);
  void use_lock(const HeddleRecord& record);
  void use_fence(const HeddleRecord& record);
  void access(const HeddleRecord& record);
  void write(const HeddleRecord& record, const Clock& message);
  void note_racy_read(const HeddleRecord& record);

  const bool racy_reads_order_;
  std::vector<ThreadState> states_;
  uint32_t last_ = 0;
  std::map<Object, Clock> objects_;
  std::map<uint64_t, uint32_t> writers_;  // of reader-writer locks
  std::unordered_map<uint64_t, Word> words_;
};

}  // namespace heddle::predict
