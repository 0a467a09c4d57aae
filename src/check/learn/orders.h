// SPDX-License-Identifier: Apache-2.0
//
// Happens-before as part of a state of the product, just as much of it as tells
// whether accesses race (accesses.h).
//
// For each access it is enough to know its last occurrence: who does not know an
// earlier one does not know the last one. So what a vector clock would say is the
// set of accesses whose last occurrence somebody knows (knowledge.h). A thread
// knows its own; whoever releases passes on what it knows, whoever acquires learns
// it, as in property/happens_before.h: creation and join, locks, semaphores,
// barriers, one-time initialisation, atomic sections, release and acquire accesses
// and fences. An access that happens again is known to its thread only. It races
// with a rival that has happened and that its thread does not know. What all rivals'
// threads know makes no difference any more and is forgotten.
//
//   of a thread          what it knows; knew at its last release fence; an acquire fence would teach
//   of an object         what who acquires it learns (of a reader-writer lock: from writers, from readers)
//   of a word            the same for each byte; of a buffer: for each store that waits
//
// These are slots of the state, and are there only from begin() on.
#pragma once

#include <utility>
#include <vector>

#include "check/learn/accesses.h"
#include "check/learn/knowledge.h"
#include "check/learn/machine.h"

namespace heddle::check::learn {

class Orders {
 public:
  Orders(Model& model, Accesses& accesses) : model_(model), accesses_(accesses) {}

  // Before everything is explored with it. False: no rivals are left that could race.
  bool begin();

  // Before the machine does the same.
  void perform(State& state, PointId id, const Edge& edge);
  void flush(State& state, ThreadId thread, uint32_t place);
  void drop(State& state, ThreadId thread, uint32_t place);

  // Pairs of accesses that raced since this was last emptied, earlier one first.
  std::vector<std::pair<AccessId, AccessId>>& raced() { return raced_; }

 private:
  static constexpr uint32_t kUntracked = UINT32_MAX;
  struct OfThread {
    uint32_t own = 0, released = 0, collected = 0, buffer = 0;  // slots; 0: of no use
  };
  struct OfObject {
    uint32_t usual = 0, readers = 0;
  };

  void add_slots();
  uint32_t new_slot(uint32_t kind, uint32_t of, std::vector<uint32_t>& list);
  OfObject object(uint32_t slot) const { return slot < objects_.size() ? objects_[slot] : OfObject(); }
  const OfThread& thread(ThreadId thread) const {
    static const OfThread kNone;
    return thread < threads_.size() ? threads_[thread] : kNone;
  }

  void access_memory(State& state, PointId id, const Edge& edge);
  void use_object(State& state, const Point& point, const Edge& edge);
  void use_lock(State& state, const Point& point);
  void use_mutex_of_condition(State& state, const Point& point, const Edge& edge);
  void use_barrier(State& state, const Point& point);
  bool is_forwarded(const State& state, const Point& point) const;
  uint32_t found(const State& state, const Point& point);
  void write(State& state, const Point& point, uint32_t message);
  void occur(State& state, AccessId access);
  void release(State& state, ThreadId thread, uint32_t slot);
  void acquire(State& state, ThreadId thread, uint32_t slot);
  void learn(State& state, ThreadId thread, uint32_t set);
  void forget(State& state, uint32_t member);
  uint32_t get(const State& state, uint32_t slot) const { return slot && slot < state.size() ? state[slot] : 0; }

  Model& model_;
  Accesses& accesses_;
  Knowledge knowledge_;
  std::vector<uint32_t> members_;                     // by AccessId: its place in sets
  std::vector<AccessId> tracked_;                     // by place
  std::vector<std::vector<ThreadId>> rival_threads_;  // by place
  std::vector<std::vector<AccessId>> rivals_;         // by place: those that are tracked for it
  std::vector<OfThread> threads_;
  std::vector<OfObject> objects_;  // by slot of the object
  std::vector<uint32_t> words_;    // by slot of the word
  uint32_t atomic_ = 0;
  std::vector<uint32_t> set_slots_, row_slots_;
  std::vector<std::pair<AccessId, AccessId>> raced_;
};

}  // namespace heddle::check::learn
