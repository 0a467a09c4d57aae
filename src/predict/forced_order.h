// SPDX-License-Identifier: Apache-2.0
//
// What holds at each access of a window in every order in which reads keep their
// values: which locks its thread holds, and how much of every other thread has come
// before. That is so by creation, join, barriers and one-time initialisation; a
// thread's n-th wait for a semaphore that only one other thread posts comes after so
// many posts, less what there was at first; and a read that only one write can have
// served comes after that write (from the reader's next operation on, for the read
// itself may be the end of it).
//
// A clock is kept for each stretch of a thread in which it learns nothing new.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "predict/carried_state.h"
#include "trace/trace.h"

namespace heddle::predict {

inline constexpr uint32_t kNoServer = ~0u;

// Places are those of events in the trace, from the beginning of the window.
class ForcedOrder {
 public:
  explicit ForcedOrder(const trace::Trace& trace) : trace_(trace) {}

  // Events [begin, end) of the trace; `state` is that before `begin`. `servers`, by
  // place: that of the only write that can have served the read, or kNoServer.
  void follow(size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& servers);

  // Of an access: so many operations of `thread`, another one, come before.
  uint32_t known_at(uint32_t place, uint32_t thread) const { return clocks_[segment_at_[place]][thread]; }
  // A number for the locks that are held; equal for equal ones.
  uint32_t locks_at(uint32_t place) const { return locks_at_[place]; }
  // A lock that both hold, at least one of them alone.
  bool exclude_each_other(uint32_t one, uint32_t other) const;

 private:
  // What a thread had done, and knew of others, at some point.
  struct Point {
    uint32_t thread = 0, length = 0, segment = 0;
  };
  struct Semaphore {
    uint64_t tokens = 0;  // before the window
    uint32_t poster = 0;
    bool has_one_poster = true;  // and is not set anew
    std::vector<Point> posts;
    std::map<uint32_t, uint64_t> waits;  // by thread
  };
  using Clock = std::vector<uint32_t>;                     // by thread: so many of its operations come before
  using LockSet = std::vector<std::pair<uint64_t, bool>>;  // lock, is shared

  const HeddleRecord& record(uint32_t place) const { return trace_.events[begin_ + place].record; }
  void synchronise(const HeddleRecord& record);
  void collect_semaphores(size_t end);
  void use_semaphore(const HeddleRecord& record);
  void use_locks(const HeddleRecord& record);
  void learn(uint32_t thread, const Point& point);
  Point point_after(const HeddleRecord& record) const {
    return {record.thread, record.index + 1, segment_of_[record.thread]};
  }
  uint32_t number_of(const LockSet& locks);

  const trace::Trace& trace_;
  size_t begin_ = 0;
  std::vector<uint32_t> segment_at_, locks_at_;     // by place
  std::vector<Clock> clocks_;                       // by segment of a thread in which it learns nothing
  std::vector<uint32_t> segment_of_, lock_set_of_;  // by thread: the present one
  std::vector<LockSet> held_;                       // by thread
  std::vector<LockSet> lock_sets_;                  // by number
  std::map<uint32_t, Point> created_, ended_;       // by thread
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Point>> arrived_;  // by barrier and round
  std::map<uint64_t, Point> initialised_;
  std::map<uint64_t, Semaphore> semaphores_;
};

}  // namespace heddle::predict
