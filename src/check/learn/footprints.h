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
// Who waits for a thread to end does nothing before that: what it does afterwards
// does not concern this thread.
//
// Two steps that are possible at once and do not concern each other need not be
// tried in both orders either: once all that begins with the one has been
// explored, the one is *asleep* in what begins with the other, until a step
// concerns it.
//
// Places (touched.h) that only one thread was seen to touch concern nobody. The
// others have a bit each, of 64; two that share a bit only make fewer steps alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/learn/machine.h"
#include "check/learn/touched.h"

namespace heddle::check::learn {

// Steps of a state: bit t is the operation of thread t, if that has only one
// form; bit 32 + t the flush of its oldest store.
using StepMask = uint64_t;

class Footprints {
 public:
  Footprints(const Model& model, const Machine& machine) : model_(model), machine_(machine) {}

  // The operation of the point has become known, or more of it.
  void add(PointId id);
  // From `before`, a thread comes to the point `next`, or creates the thread that begins there.
  void add_way(PointId before, PointId next);
  // An edge from there has become known.
  void add_edge(PointId from, const Edge& edge);

  // Appends a step that is alone in the state, in all its forms; false: there is none. (footprints_alone.cpp)
  // The first one asks only one thread, for an operation that nobody notices; who has just moved often has one.
  bool find_alone_of(const State& state, ThreadId thread, std::vector<Step>& found);
  bool find_alone(const State& state, std::vector<Step>& found);

  // The step as a mask; 0: it is never asleep. (footprints_asleep.cpp)
  StepMask mask_of(const State& state, const Step& step) const;
  // Which of the steps `asleep` still are after the step, which is possible in the state.
  StepMask still_asleep(const State& state, const Step& step, StepMask asleep);

  // What a row of steps of one thread touches, and what else matters to steps that are asleep. (footprints_stretch.cpp)
  using Places = uint64_t;
  struct Touch {
    Places reads = 0, writes = 0;
    bool meets(const Touch& other) const { return (writes & (other.reads | other.writes)) || (reads & other.writes); }
    void add(const Touch& other) { reads |= other.reads, writes |= other.writes; }
    bool is_empty() const { return !(reads | writes); }
  };
  struct Passed {
    Touch touch;
    bool flushes = false;
    bool ends_locals = false;
    bool does_more = false;  // than load and store
  };
  // Adds a step that is possible in the state; false: it cannot be one of such a row.
  bool pass(const State& state, const Step& step, Passed& passed);
  // Whether all these steps of the thread, possible in the state, are alone, and none of them asleep. All other threads
  // have to be where they were since let_go().
  bool may_pass(const State& state, ThreadId thread, const Passed& passed, StepMask asleep);
  void let_go() { has_gathered_ = false; }
  // Which of the steps `asleep` still are after these.
  StepMask still_asleep(const State& state, ThreadId thread, const Passed& passed, StepMask asleep);

  // Grows with what is known.
  uint64_t version() const { return version_; }
  // Since the last forget(), something was taken to be of no concern that is not.
  bool was_wrong() const { return was_wrong_; }
  void forget();

 private:
  struct alignas(64) Entry {  // as long as a line of the cache
    Touch future, own;
    Touch relied;              // must not turn up in future
    bool joins = false;        // waits for a thread to end
    bool is_over = false;      // the thread does nothing more
    bool is_plain = false;     // concerns others only by what it touches
    bool is_buffered = false;  // a store that others see later
    bool ends_locals = false;
    bool is_used = false;    // somebody has relied on all this
    bool is_passed = false;  // and on there being one way on
    uint32_t ahead = 0;      // in aheads_; 0: nobody asked
  };
  static_assert(sizeof(Entry) == 64);
  // What a thread may still do in the state at hand.
  struct Other {
    Entry* entry;
    Touch touch;
    PointId point;
    uint32_t buffer;
    uint8_t thread;
    bool joins;
  };
  // What a thread that waits for another one to end may do before a third one has ended.
  struct Ahead {
    bool is_known = false;
    PointId rest = 0;  // and all that comes from this point on; 0: nothing more
    Touch touch;
  };
  struct Aheads {
    uint64_t version = 0;
    std::vector<Ahead> by_thread;
  };
  struct Place {
    uint32_t owner = 0;  // 1 + thread; kShared
    uint8_t bit = 0;     // if it is shared
    std::vector<PointId> users;
  };
  static constexpr uint32_t kShared = UINT32_MAX;

  Entry& entry(PointId id) {
    if (entries_.size() <= id) [[unlikely]]
      entries_.resize(model_.automata.size() + 1);
    return entries_[id];
  }
  void know_points() {
    if (entries_.size() <= model_.automata.size()) [[unlikely]]
      entries_.resize(model_.automata.size() + 1);
  }
  // Where else one comes from, besides Point::before.
  std::vector<PointId>& ways(PointId id) {
    if (ways_.size() <= id) ways_.resize(model_.automata.size() + 1);
    return ways_[id];
  }
  void note_users(PointId id, const Point& point, std::vector<PointId>& stale);
  Touch touch_of(const Point& point) const;
  void refresh(PointId id);
  void spread(PointId id, Touch touch);
  bool is_buffered(PointId id) const;
  void is_not_plain(PointId id);
  // Of the stores that wait in a buffer: the places of all of them, and whether one of them has none.
  struct Waiting {
    Places places = 0;
    bool has_private = false;
    uint32_t round = 0;  // it is known if that is stores_round_
  };
  const Waiting& stores_in(uint32_t buffer) {
    if (buffer < stores_in_.size() && stores_in_[buffer].round == stores_round_) [[likely]]
      return stores_in_[buffer];
    return look_into(buffer);
  }
  const Waiting& look_into(uint32_t buffer);
  static Touch at_once(const Entry& known) { return {known.own.reads, known.is_buffered ? 0 : known.own.writes}; }
  // Nobody notices the operation when it happens. (A store that waits is noticed when it leaves its buffer.)
  static bool is_unnoticed(const Entry& known) { return known.is_plain && at_once(known).is_empty(); }
  const Ahead& ahead(PointId joining, ThreadId thread);
  Ahead look_ahead(PointId joining, ThreadId thread);
  uint32_t gather(const State& state, Touch& once, Touch& twice);
  Touch of_joining(ThreadId thread);
  bool concerns_joining(const Other& own, const Touch& touch);
  bool find_flush(const Other& own, Places touched, std::vector<Step>& found);
  Touch of_others(ThreadId thread);
  Entry& oldest_store(const State& state, ThreadId thread);
  void rely(ThreadId thread, const Touch& touch);
  bool concerns_nobody(const State& state, ThreadId thread, std::vector<Step>& found);
  bool add_operation(const State& state, ThreadId thread, std::vector<Step>& found) const;
  bool are_apart(const State& state, const Step& step, const Touch& touch, ThreadId thread, bool is_flush);

  const Model& model_;
  const Machine& machine_;
  std::vector<Entry> entries_;              // by PointId
  std::vector<std::vector<PointId>> ways_;  // by PointId
  std::vector<Place> places_;               // by number
  uint32_t shared_places_ = 0;
  std::vector<Waiting> stores_in_;  // by number of the buffer
  uint32_t stores_round_ = 1;       // grows when what a store touches changes
  std::vector<Aheads> aheads_ = std::vector<Aheads>(1);
  uint64_t version_ = 1;                    // grows with what is known
  std::array<Other, kMostThreads> others_;  // those that may still do something
  size_t other_count_ = 0;
  size_t joining_ = 0;         // how many of them join
  bool has_gathered_ = false;  // since let_go(): what others may still touch
  Touch of_others_;
  bool was_wrong_ = false;
};

}  // namespace heddle::check::learn
