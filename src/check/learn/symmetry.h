// SPDX-License-Identifier: Apache-2.0
//
// Threads that may change places (--symmetry). Threads that one thread created with the
// same function and argument mostly do the same: then states that differ only in
// which of them is where have the same future, and one of them need be explored.
//
//   T0.0 at point 7, T0.1 at point 12 (what T0.0 does at 5)   ~   T0.0 at 5, T0.1 at 14 (what T0.0 does at 7)
//
// That they do the same is not taken for granted. Whenever the program was run,
// it is run again in the same order with these threads in each other's places
// (exchanged), so that each of them is seen to do what any of them did. When
// everything has been explored, what is known of them must be the same in all (holds): the
// same operations on the same memory with the same values, own locals that nobody else
// touches aside. Then changing places leaves the product as it is. If they are not the same,
// everything is explored as if they had never been equal.
//
// Who created them waits for their ends in some order. Where it waits for all of them in a
// row and does nothing else in between, it makes no difference how far it has come.
//
// docs/explanation/learned_threads.md has the argument.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "causal/execution.h"
#include "check/learn/execution_reader.h"
#include "check/learn/machine.h"
#include "property/plan.h"

namespace heddle::check::learn {

class Symmetry {
 public:
  using Plan = std::vector<property::PlannedStep>;

  Symmetry(Model& model, const ExecutionReader& reader) : model_(model), reader_(reader) {}

  // The reader has just read the execution. Afterwards exchanges() may have become false.
  void note(const causal::Execution& execution);
  // What remains to be run then: the same with threads in each other's places, where they were not seen to do that.
  std::vector<Plan> exchanged(const causal::Execution& execution);

  // There are threads that change places.
  bool exchanges() const { return !groups_.empty(); }
  // Why there are none; empty: they were not looked for yet.
  const std::string& why_not() const { return why_not_; }
  void give_up(const std::string& why);

  // The row that stands for the state and for all that differ from it in who is where. Stays valid until the next call.
  const Row& representative(const State& state);
  // All is known: do threads that change places do the same? If not, they are given up.
  bool holds();

 private:
  struct Group {
    ThreadId parent;
    uint64_t birth;                 // of THREAD_CREATE
    std::vector<ThreadId> members;  // ascending; all are compared with the first
  };
  // Where a thread of a group is, and what else of the state is its own.
  struct Place {
    ThreadId thread;
    uint32_t point, buffer;
    std::vector<uint32_t> locks;  // slots of those it owns
    auto operator<=>(const Place& other) const {
      return std::tie(point, buffer, locks) <=> std::tie(other.point, other.buffer, other.locks);
    }
  };

  bool find_groups(const causal::Execution& execution);
  const Group* group_of(ThreadId thread) const {
    return thread < group_of_.size() && group_of_[thread] ? &groups_[group_of_[thread] - 1] : nullptr;
  }
  // A way that a thread went: the points, and what it learned at each.
  struct Way {
    ThreadId thread;
    std::vector<ExecutionReader::Followed> points;
  };
  bool compare(const Way& way);
  bool knows(const Group& group, ThreadId member, const std::vector<ExecutionReader::Followed>& points);
  bool touches_nobody(const HeddleRecord& record) const;
  std::vector<causal::Happening> created_first(const causal::Execution& execution) const;
  Plan with_others(const causal::Execution& execution, const std::vector<ThreadId>& others) const;
  bool is_private(const Point& point) const;  // own locals, which make no difference between states
  bool are_alike(const Point& one, const Point& first) const;
  const Edge* same_edge(const Point& first, const Result& result, bool is_private) const;
  bool are_same_deaths(const Edge& one, const Edge& first) const;
  bool is_in_row(const Point& point) const;  // of waits for ends
  PointId row_of(PointId point);
  bool row_has_all(PointId row) const;
  bool are_same(const Group& group, ThreadId member);
  uint32_t buffer_of_first(uint32_t buffer);
  PointId point_of_first(PointId point) const { return point < first_.size() && first_[point] ? first_[point] : point; }
  void sort_out(const State& state, const Group& group);

  Model& model_;
  const ExecutionReader& reader_;
  std::vector<Group> groups_;
  std::vector<uint32_t> group_of_;  // by ThreadId: 1 + number of the group
  std::vector<PointId> first_;      // by point of a thread of a group: what its first thread has there; 0: not known
  std::vector<PointId> rows_;       // by point: where the row begins that it is in; 0: not known yet
  std::vector<uint32_t> buffers_;   // by number of a buffer: 1 + the number of that of the first thread
  std::vector<uint32_t> lock_slots_;
  std::vector<bool> is_lock_slot_;
  std::vector<Way> open_;  // ways that the first thread was not yet seen to go
  std::string why_not_;
  bool has_given_up_ = false;
  Row row_;
  std::vector<Place> places_;
};

}  // namespace heddle::check::learn
