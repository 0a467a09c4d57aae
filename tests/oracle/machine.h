// SPDX-License-Identifier: Apache-2.0
//
// The operational semantics of a Program under SC, TSO and PSO: from a state,
// every step that can happen next. DESIGN.md, "Memory models, exactly":
//
//   SC   interleaving
//   TSO  one FIFO store buffer per thread
//   PSO  one FIFO per thread and location: stores that overlap stay in order,
//        and so do stores on both sides of a marker, which a release store and
//        a release fence put before what follows
//
// A load takes the newest own buffered store that overlaps it, if that covers
// it; waits if it covers only a part; else reads memory. Sequentially
// consistent stores, read-modify-writes (a failed compare-exchange too),
// sequentially consistent fences, synchronisation (a failed try too) and the
// end of a thread wait for an empty buffer.
//
// Branches and assertions that hold are no steps: they happen together with the
// step before them. An assertion that fails is a step of its own and ends the
// run; so are an access to a released block or through 0, and a second release. Waiting on a condition variable and at
// a barrier are two steps each: going to wait, and going on.
#pragma once

#include <vector>

#include "oracle/state.h"

namespace heddle::oracle {

enum class MemoryModel : uint8_t { kSc, kTso, kPso };

struct Transition {
  enum class Kind : uint8_t {
    kPerform,  // the operation; of waits, the first half
    kFlush,    // a buffered store reaches memory
    kResume,   // a woken thread has its mutex again
    kLeave,    // a thread leaves the barrier
  };
  static constexpr int kMemory = -1;

  Kind kind = Kind::kPerform;
  int thread = 0;
  const Operation* operation = nullptr;  // null for a flush
  int buffered = kMemory;  // flush: place in the buffer; load: where it took its value; store: where it went
  bool success = true;     // of a try or compare-exchange
  bool opens = false;      // the last to arrive at a barrier
  bool alone = false;      // commutes with every other step: it may be taken first
  bool learns = false;     // the thread learned `learned`
  uint64_t learned = 0;
};

struct Successor {
  Transition transition;
  State state;
};

class Machine {
 public:
  // The program must outlive the machine.
  Machine(const Program& program, MemoryModel model) : program_(program), model_(model) {}

  State initial() const;

  // Replaces what is in `found`. None from a state with a failed assertion.
  void successors(const State& state, std::vector<Successor>& found) const;

  // Every thread has ended.
  bool complete(const State& state) const;

  // The operation that the thread does next, or null: it has ended, does not
  // exist, or is in the middle of a wait.
  const Operation* next_operation(const State& state, int thread) const;

 private:
  struct Step;

  const Operation* operation_at(const State& state, int thread) const;
  void flushes(const State& state, int thread, std::vector<Successor>& found) const;
  void perform(const State& state, int thread, std::vector<Successor>& found) const;
  void perform_load(Step& step) const;
  void perform_store(Step& step) const;
  void perform_update(Step& step) const;
  void perform_fence(Step& step) const;
  void synchronise(Step& step) const;
  void use_mutex(Step& step) const;
  void use_reader_writer_lock(Step& step) const;
  void use_semaphore(Step& step) const;
  void use_condition(Step& step) const;
  void use_barrier(Step& step) const;
  void use_thread(Step& step) const;
  void use_block(Step& step) const;
  bool points_nowhere(const State& state, int thread, const Operation& operation) const;
  void go_on(State& state, int thread) const;
  void run_control(State& state, int thread) const;

  const Program& program_;
  MemoryModel model_;
};

}  // namespace heddle::oracle
