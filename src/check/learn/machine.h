// SPDX-License-Identifier: Apache-2.0
//
// The machine that runs the learned threads: memory, store buffers and objects
// of synchronisation, as runtime/ has them. It says which steps are possible in
// a state and what a step leads to. A step of a thread needs an edge of its
// automaton; where there is none, the step is *missing*, and the program itself
// has to be run to learn it.
//
// What an operation does to memory is machine_memory.cpp, to the heap
// machine_heap.cpp, to threads machine_threads.cpp, to objects of synchronisation
// machine_objects.cpp with the state machines of src/semantics.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "causal/operation.h"
#include "check/learn/automata.h"
#include "check/learn/heap_blocks.h"
#include "check/learn/layout.h"
#include "check/learn/numbers.h"
#include "check/learn/objects.h"
#include "check/learn/state.h"
#include "check/learn/store_buffers.h"

namespace heddle::check::learn {

using causal::MemoryModel;

inline constexpr ThreadId kMostThreads = 32;  // masks have a bit for each

enum class Move : uint8_t { kOperation, kTimeout, kFlush };

struct Step {
  Move move = Move::kOperation;
  uint8_t thread = 0;
  bool is_vague = false;  // nobody had seen the operation when the step was found: it may have other forms
  // Flush: place in the buffer. Choice of a value: how far above the lowest.
  // Signal: 1 + the thread to wake, 0: nobody waits.
  uint32_t choice = 0;
};

// What the operation of a thread comes to in a state.
struct Prediction {
  bool is_possible = true;
  bool is_certain = true;  // false: the automaton does not say yet how it turns out
  Result result;
};

inline constexpr Prediction kBlocked = {false, true, {}};
inline constexpr Prediction kFails = {true, true, {Way::kFailed, {}}};

struct Observation {
  uint32_t name;
  uint64_t value;
};

class RaceWatch;

// What is known of a program.
struct Model {
  explicit Model(MemoryModel memory, bool reuses_addresses = false) : memory(memory), heap(reuses_addresses) {}
  const MemoryModel memory;
  Automata automata;
  Layout layout;
  Numbers numbers;
  StoreBuffers buffers;
  HeapBlocks heap;
  std::vector<std::string> names;         // of observations
  std::vector<Observation> observations;  // by number
  std::vector<uint32_t> thread_slots;     // by ThreadId; 0: not met yet
  std::vector<uint32_t> buffer_slots;
  bool has_merged = false;         // histories: what threads have learned is not known at their ends
  bool leaves_out_values = false;  // of a choice among very many
  bool loses_waiting = false;      // memory was given out again, with an object in it that a thread waited at
  RaceWatch* races = nullptr;      // null: nobody looks for data races
};

class Machine {
 public:
  explicit Machine(Model& model) : model_(model) {}

  State initial() const;

  // All steps that are possible.
  void steps(const State& state, std::vector<Step>& found) const;
  // Those of one thread: its next operation in all its forms; stores that may leave its buffer; both.
  void steps_of(const State& state, ThreadId thread, std::vector<Step>& found) const;
  void operations_of(const State& state, ThreadId thread, std::vector<Step>& found) const {
    const Point& point = at(state, thread);
    if (is_free(point) && !buffer_of(state, thread)) {
      found.push_back({Move::kOperation, static_cast<uint8_t>(thread), false, 0});
    } else {
      find_operations(state, point, thread, found);
    }
  }
  const std::vector<uint32_t>& leaving(uint32_t buffer) const {  // places
    if (buffer < leaving_.size() && !leaving_[buffer].empty()) return leaving_[buffer];
    return find_leaving(buffer);
  }
  bool is_in_loop(const State& state, ThreadId thread) const;  // waits there for a change

  // False: the step is missing; the state is then of no use. `operations` counts
  // how many the thread has done.
  bool apply(State& state, const Step& step, uint32_t* operations = nullptr) const;

  // The parts of apply, for who follows an execution.
  Prediction predict(const State& state, const Step& step) const;
  void perform(State& state, const Step& step, const Edge& edge) const;
  void flush(State& state, ThreadId thread, uint32_t place) const;
  void arrive(State& state, const Edge& edge) const;  // at the point that the edge leads to

  // A store for this memory waits in the buffer of another thread than this one.
  bool is_awaited(const State& state, const Range& memory, ThreadId other_than) const;
  bool is_destroyed(const State& state, const Point& point) const { return object(state, point.object) & kDestroyed; }
  // The operation of the point fails because of the block that it concerns.
  bool is_bad_for_block(const State& state, const Point& point) const {
    return point.block && state[point.block] && failure_by_block(state, point);
  }
  PointId point_of(const State& state, ThreadId thread) const {
    return thread < model_.thread_slots.size() && model_.thread_slots[thread] ? state[model_.thread_slots[thread]] : 0;
  }
  const Point& at(const State& state, ThreadId thread) const { return model_.automata[point_of(state, thread)]; }
  bool has_ended(const State& state, ThreadId thread) const { return at(state, thread).standing == Standing::kEnded; }
  uint32_t buffer_of(const State& state, ThreadId thread) const {
    return model_.memory == MemoryModel::kSc ? 0 : state[model_.buffer_slots[thread]];
  }

 private:
  // Nothing but its own buffer can keep the operation from happening, and it has one form.
  static bool is_free(const Point& point) {
    if (point.standing != Standing::kPerformed || !point.looks.empty()) return false;
    return point.topic == Topic::kMemory || point.effect == HEDDLE_EFFECT_CREATE ||
           point.effect == HEDDLE_EFFECT_START || point.effect == HEDDLE_EFFECT_END;
  }
  void find_operations(const State& state, const Point& point, ThreadId thread, std::vector<Step>& found) const;
  const std::vector<uint32_t>& find_leaving(uint32_t buffer) const;
  const Edge* edge_of(const State& state, const Point& point, const Step& step) const;
  bool waits_for_buffer(const State& state, const Point& point) const {
    return buffer_of(state, point.thread) != 0 && heddle_waits_for_stores(point.kind, point.order, point.flags);
  }
  bool may_flush(const StoreBuffers::Content& content, uint32_t place) const;
  bool is_possible(const State& state, const Point& point, const Step& step) const;
  bool has_changed(const State& state, const Point& waiting) const;

  uint64_t object(const State& state, uint32_t slot) const { return model_.numbers.value(state[slot]); }
  void set_object(State& state, uint32_t slot, uint64_t value) const { state.set(slot, model_.numbers.number(value)); }

  // machine_memory.cpp
  Prediction predict_memory(const State& state, const Point& point) const;
  void perform_memory(State& state, PointId id, const Edge& edge) const;
  // False: it has to wait for its buffer.
  bool see(const State& state, const Point& point, uint64_t& low, uint64_t& high) const;
  uint64_t read(const State& state, const Point& point, uint32_t offset, uint32_t size) const;
  // Most accesses: the memory is within one word.
  static bool is_within_word(const Point& point) { return point.address % 8 + point.size <= 8; }
  static uint64_t low_bytes(uint64_t value, uint32_t size) {
    return size >= 8 ? value : value & ((uint64_t{1} << (8 * size)) - 1);
  }
  uint64_t read_word(const State& state, const Point& point) const {
    const uint32_t slot = point.words[0];
    const uint64_t word = model_.numbers.value(state[slot]) ^ model_.layout.initial(slot);
    return low_bytes(word >> (8 * (point.address % 8)), point.size);
  }
  void write_word(State& state, const Point& point, uint64_t value) const {
    const uint32_t slot = point.words[0];
    const uint32_t shift = 8 * (point.address % 8);
    const uint64_t mask = low_bytes(~uint64_t{0}, point.size) << shift;
    const uint64_t before = model_.numbers.value(state[slot]);
    const uint64_t after = (before & ~mask) | (((value << shift) ^ model_.layout.initial(slot)) & mask);
    if (after != before) state.set(slot, model_.numbers.number(after));
  }
  void write(State& state, const Point& point, uint32_t offset, uint32_t size, uint64_t value) const;
  void write_all(State& state, const Point& point, uint64_t low, uint64_t high) const;

  // machine_heap.cpp
  uint32_t failure_by_block(const State& state, const Point& point) const;  // 0: none; the region has a block
  Prediction predict_bad_block(const State& state, const Point& point) const;
  Prediction predict_failure_by_block(const State& state, const Point& point) const;
  Prediction predict_allocation(const State& state, const Point& point) const;
  void allocate(State& state, const Point& point, const Edge& edge) const;
  void release(State& state, const Point& point) const;
  void clear(State& state, const HeapBlocks::Region& region, uint64_t start, uint64_t size) const;

  // machine_objects.cpp
  template <typename ObjectState>
  ObjectState object_state(const State& state, uint32_t slot) const;
  template <typename ObjectState>
  void change(State& state, uint32_t slot, const semantics::ObjectOperation& operation, uint8_t flags) const;
  BarrierState barrier(const State& state, const Point& point) const;
  Prediction predict_mutex(const State& state, const Point& point, const Step& step) const;
  Prediction predict_condition(const State& state, const Point& point, const Step& step) const;
  Prediction predict_word(const State& state, const Point& point, const Step& step) const;
  Prediction predict_outcome(const State& state, const Point& point, const Step& step) const;
  Prediction predict_object(const State& state, const Point& point, const Step& step) const;
  void perform_object(State& state, const Point& point, const Step& step, const Edge& edge) const;
  // Whether a WAKE takes one thread out of the queue, or all.
  static uint64_t most_woken(const Point& point) { return semantics::most_woken(point.kind, point.value2); }
  static bool wakes_one(const Point& point) { return most_woken(point) <= 1; }
  void wake(State& state, const Point& point, const Step& step) const;

  // machine_threads.cpp
  semantics::ThreadState thread_state(const State& state, const Point& point) const;  // of the one joined or detached
  Prediction predict_thread(const State& state, const Point& point, const Step& step) const;
  void perform_thread(State& state, const Point& point, const Edge& edge) const;

  Model& model_;
  mutable std::vector<std::vector<uint32_t>> leaving_;  // by number of the buffer; empty: not known yet
};

}  // namespace heddle::check::learn
