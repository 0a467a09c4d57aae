// SPDX-License-Identifier: Apache-2.0
//
// What threads have learned. A thread's next operation depends only on its own
// past and on what its operations told it: values read, results of try-locks
// and timed waits, choices. That sequence is its history. Histories form a
// tree, one root per thread; two executions in which a thread has the same
// history agree on everything this thread has done so far.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/event.h"
#include "causal/thread_table.h"

namespace heddle::causal {

using HistoryId = uint32_t;

// What the thread learns from this operation, as two numbers.
struct Lesson {
  uint64_t value = 0, value2 = 0;
  bool is_open = false;  // not said: stands for whatever it was
  bool operator==(const Lesson&) const = default;
};

// False for operations whose result is always the same for their thread. A
// join learns what the joined thread returned; its lesson is made by the caller.
bool teaches(const HeddleRecord& operation);
Lesson lesson_of(const HeddleRecord& operation);

class Histories {
 public:
  HistoryId root(ThreadId thread);
  HistoryId after(HistoryId history, const Lesson& lesson);
  HistoryId after_open(HistoryId history) { return after(history, {0, 0, true}); }
  size_t size() const { return count_; }

 private:
  struct Key {
    uint64_t history;
    Lesson lesson;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t mixed = key.history * 0x9e3779b97f4a7c15 ^ key.lesson.value * 0xbf58476d1ce4e5b9 ^
                       key.lesson.value2 * 0x94d049bb133111eb;
      return mixed ^ (mixed >> 29);
    }
  };
  std::vector<HistoryId> roots_;
  std::unordered_map<Key, HistoryId, Hash> children_;
  HistoryId count_ = 0;
};

}  // namespace heddle::causal
