// SPDX-License-Identifier: Apache-2.0
//
// What is known of the program's threads. A thread is a deterministic automaton:
// what it does next depends only on what its operations have told it so far.
// A *point* is a place in that automaton, just before an operation; an *edge*
// is one way that operation turned out, and leads to the point that follows.
// Points of a thread form a tree: a point is a history of the thread, together
// with how far it has come since it last learned something. Where two histories
// of the same length leave the thread with the same registers, stack and so on
// (causal::PrivateState), they may be one point: then it is a graph without
// cycles.
//
//   point 7 (T0.1, load x) ── read 0 ──> point 8 (T0.1, store x 1) ──> ...
//                          └─ read 1 ──> point 12 (T0.1, store x 2) ──> ...
//
// A point is met before anybody knows what the thread does there; then it is
// announced (a run ended while the thread was about to do it) and performed.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/chunked_vector.h"
#include "causal/histories.h"
#include "causal/thread_table.h"
#include "semantics/meaning.h"

namespace heddle::check::learn {

using PointId = uint32_t;  // 0: none
using causal::Lesson;
using causal::ThreadId;

// What kind of result an edge stands for.
enum class Way : uint8_t {
  kDone,    // the operation happened; the lesson says how
  kFailed,  // the thread failed instead
  kGaveUp,  // a wait for a condition ended without a signal (COND_LEAVE)
};

struct Result {
  Way way = Way::kDone;
  Lesson lesson;
  bool operator==(const Result&) const = default;
};

struct Edge {
  Result result;
  uint8_t flags = 0, order = 0;  // of the record
  uint64_t value = 0, value2 = 0;
  PointId next = 0;
  uint32_t deaths = 0;  // in Automata::deaths: locals that end their lives then
};

// A look of a round that repeats itself: the thread waits until it would
// find something else.
struct Look {
  PointId point;
  Lesson lesson;
};

struct Range {
  uint64_t address, size;
};

enum class Standing : uint8_t {
  kUnknown,    // nobody has seen what the thread does here
  kAnnounced,  // what it is about to do is known, not all of the operands
  kPerformed,  // seen at least once
  kEnded,      // the thread has ended; value: what it returned
  kFailed,
  kStuck,  // it stays here: a bound was reached, or nobody could find out more
};

// Which part of the machine an operation belongs to; kThread: none of the others.
enum class Topic : uint8_t { kMemory, kObject, kThread };
Topic topic_of(uint8_t kind);

// One object of synchronisation: memory may hold a mutex first and a semaphore later, and neither tells the other
// anything.
inline uint64_t object_key(HeddleFamily family, uint64_t address) {
  constexpr uint32_t kAddressBits = 56;
  return static_cast<uint64_t>(family) << kAddressBits | address;
}

// What every step needs stands in its first 64 bytes.
struct alignas(64) Point {
  std::vector<Edge> edges;
  Standing standing = Standing::kUnknown;
  Topic topic = Topic::kThread;
  uint8_t family = 0, effect = 0, form = 0;          // of the kind: its row of the table (abi/semantics.h)
  uint8_t kind = 0, size = 0, order = 0, flags = 0;  // of the announced operation
  bool is_glued = false;                             // happens together with the operation before it
  bool may_time_out = false;
  ThreadId thread = 0;
  uint32_t words[3] = {0, 0, 0};  // slots of the words of memory concerned
  uint32_t block = 0;             // slot of the region of the heap concerned, if anybody ever releases a block of it
  // Of an allocation where released memory is used again: what it gets if there is none.
  uint64_t address = 0;
  uint64_t value = 0, value2 = 0;         // value2: of a lock, or of the mutex of a condition: its type
  std::vector<Look> looks;                // not empty: the thread waits here until one of them changes
  uint32_t object = 0, other_object = 0;  // slots; the other one: the mutex of a condition, who is serial at a barrier
  PointId before = 0;
  uint32_t site = 0;
  uint32_t text = 0;  // OBSERVE: 1 + number of the name

  void set_kind(uint8_t announced) {
    kind = announced;
    topic = topic_of(kind);
    const HeddleMeaning& meaning = semantics::meaning(kind);
    family = meaning.family;
    effect = meaning.effect;
    form = meaning.form;
  }
  const Edge* find(const Result& result) const {
    for (const Edge& edge : edges)
      if (edge.result == result) return &edge;
    return nullptr;
  }
  bool is_of_lock() const { return family == HEDDLE_FAMILY_MUTEX || family == HEDDLE_FAMILY_RWLOCK; }
  bool is_known() const { return standing == Standing::kAnnounced || standing == Standing::kPerformed; }
};

class Automata {
 public:
  Automata() { points_.emplace_back(); }

  // Where a thread begins. Its creator gives it a function and an argument, for which
  // `birth` stands (of THREAD_CREATE): the same thread may begin in several ways.
  PointId root(ThreadId thread, uint64_t birth) {
    PointId& root = roots_[{thread, birth}];
    if (!root) root = add(thread, 0);
    return root;
  }
  bool is_root(PointId id) const { return id && !points_[id].before; }
  // References stay valid while points are added.
  Point& operator[](PointId id) { return points_[id]; }
  const Point& operator[](PointId id) const { return points_[id]; }
  size_t size() const { return points_.size() - 1; }

  // A new edge; `next` 0: to a new point. `teaches`: the thread learns which way it was.
  PointId add_edge(PointId from, Edge edge, PointId next, bool teaches) {
    edge.next = next ? next : add(points_[from].thread, from);
    points_[from].edges.push_back(edge);
    histories_ += teaches;
    return edge.next;
  }
  uint32_t add_deaths(std::vector<Range> ranges) {
    if (ranges.empty()) return 0;
    deaths_.push_back(std::move(ranges));
    return static_cast<uint32_t>(deaths_.size() - 1);
  }
  void set_deaths(PointId from, const Result& result, uint32_t deaths) {
    for (Edge& edge : points_[from].edges)
      if (edge.result == result) edge.deaths = deaths;
  }
  const std::vector<Range>& deaths(const Edge& edge) const { return deaths_[edge.deaths]; }
  // How many different histories of threads are known.
  uint64_t histories() const { return histories_ + roots_.size(); }

 private:
  PointId add(ThreadId thread, PointId before) {
    points_.emplace_back();
    points_.back().thread = thread;
    points_.back().before = before;
    return static_cast<PointId>(points_.size() - 1);
  }

  base::ChunkedVector<Point> points_;
  std::map<std::pair<ThreadId, uint64_t>, PointId> roots_;
  std::vector<std::vector<Range>> deaths_ = {{}};
  uint64_t histories_ = 0;
};

}  // namespace heddle::check::learn
