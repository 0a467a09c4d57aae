// SPDX-License-Identifier: Apache-2.0
//
// Makes the operations of one thread at random, as a block: a sequence of
// operations and of constructs that contain blocks. What the thread holds is
// known at every place, so no rule can be broken.
#pragma once

#include <vector>

#include "oracle/program.h"
#include "oracle/random_numbers.h"

namespace heddle::oracle {

// What the whole program has, drawn once.
struct Features {
  int variables;
  bool mixed_sizes;  // else each variable has one size
  int sizes[3];
  int atomic;  // percent of accesses
  bool updates, fences, mutexes, reader_writer, semaphores, conditions, barrier, branches, assertions, nested_threads;
  int kept_locks;         // percent of locks that are not released
  bool final_loads;       // main reads all variables after the joins
  bool pointers = false;  // blocks are allocated, shared and released
  bool linked = false;    // blocks hold pointers, else numbers
  int* blocks = nullptr;  // how many the program has so far
};

// Main gets no assertions: one that fails when all others have ended would count
// as the end of a complete execution.
class ThreadMaker {
 public:
  ThreadMaker(RandomNumbers& random, const Features& features, bool is_main)
      : random_(random), features_(features), is_main_(is_main) {}

  // `budget` operations that other threads could see.
  void block(int budget);
  void append(const Operation& operation) { operations_.push_back(operation); }
  std::vector<Operation> take() { return std::move(operations_); }

  // Reads the whole of each variable, into registers of its own.
  void load_all();

  // Creates a thread, if something that was read says so, and joins it.
  void create_perhaps(int thread);

 private:
  // Appends one operation or construct of at most `budget` operations; how many it took.
  int construct(int budget);
  // The others likewise say how many operations they appended.
  int single(const Operation& operation);
  int learning(const Operation& operation);
  int access();
  // Two weak accesses to two variables: half of a litmus shape.
  int crossing();
  Operation placed(Operation operation);
  Operation with_amount(Operation operation);
  // Mostly 1; where parts of it are accessed, also something in the upper parts.
  uint64_t draw_value(int size);
  MemoryOrder draw_fence_order();
  bool atomic();
  int target();  // a register for a result
  int free_mutex() const;
  int draw_free_mutex();
  bool keeps_lock();
  int critical_section(int budget);
  int release(int mutex);
  int last_target() const;  // of the last operation that learned something
  // `start` and a block that holds `mutex`, which is released in it.
  int section(const Operation& start, int mutex, int inside);
  int reader_writer_section(int budget);
  int use_semaphore();
  // Waiting with the mutex held, perhaps only if a flag is not set; or setting it and signalling.
  // All waiters use mutex 0: waiting on one condition with two mutexes is undefined.
  int wait_section(int budget);
  int conditional(int budget);
  // pointer_maker.cpp: with the one shared pointer, and blocks that it points to.
  int use_pointers(int budget);
  int publish(int budget, int block);
  int find_and_use(int budget);
  int take_and_release(int budget);
  int use_block(int pointer);
  int draw_pointer();
  Operation on_pointer(Operation operation);

  RandomNumbers& random_;
  const Features& features_;
  bool is_main_;
  std::vector<Operation> operations_;
  int learned_ = 0;  // registers that may have been written, from 0
  bool held_[kMutexes] = {};
  bool reader_writer_used_ = false;
  int barriers_ = 0;
  int last_variable_ = -1;
  int pointers_ = 0;  // registers that may hold pointers, from kFirstPointer
};

}  // namespace heddle::oracle
