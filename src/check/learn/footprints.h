// SPDX-License-Identifier: Apache-2.0
//
// What threads may still touch, so that the product need not try every order of
// steps that do not concern each other.
//
// In a state, a step of one thread may go first without looking at the others
// (it is *alone*) if nothing that any other thread may do from here on depends
// on it, nor it on them: then every execution from this state can be reordered
// so that it begins with this step, and comes to the same end. The product has
// no cycles, so a step is never put off for ever.
//
// What a thread may still do is what its automaton shows from its point on,
// with the threads it creates, and what waits in its store buffer. Automata
// grow: a decision that a new point contradicts is remembered, and the
// exploration has to be done again (was_wrong).
//
// Places (halves of words of memory, objects, heap blocks) are hashed to 128 bits; two
// that share a bit only make fewer steps alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/learn/machine.h"

namespace heddle::check::learn {

class Footprints {
 public:
  Footprints(const Model& model, const Machine& machine) : model_(model), machine_(machine) {}

  // The operation of the point has become known, or more of it.
  void add(PointId id);
  // From `before`, a thread comes to the point `next`, or creates the thread that begins there.
  void add_way(PointId before, PointId next);

  // Which of these steps, all that are possible in the state, is alone; -1: none.
  int64_t find_alone(const State& state, std::span<const Step> steps);

  // Since the last forget(), a step was taken to be alone that is not.
  bool was_wrong() const { return was_wrong_; }
  void forget();

 private:
  using Places = unsigned __int128;
  struct Touch {
    Places reads = 0, writes = 0;
  };
  struct Entry {
    Touch own, future, relied;  // relied: must not turn up in future
    std::vector<PointId> ways;  // where else one comes from, besides Point::before
  };

  Touch own(const Point& point) const;
  Touch memory(const Point& point) const;
  Entry& entry(PointId id);
  void spread(PointId id, Touch touch);
  bool may_be_alone(const State& state, const Step& step, Touch& touch);

  struct Other {
    ThreadId thread;
    PointId point;
    Touch touch;
  };
  std::vector<Other> others_;  // what each thread may still do in the state at hand

  const Model& model_;
  const Machine& machine_;
  std::vector<Entry> entries_;  // by PointId
  bool was_wrong_ = false;
};

}  // namespace heddle::check::learn
