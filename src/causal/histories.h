// SPDX-License-Identifier: Apache-2.0
//
// What threads have learned. A thread's next operation depends only on its own
// past and on what its operations told it: values read, results of try-locks
// and timed waits, choices. That sequence is its history. Histories form a
// tree, one root per thread; two executions in which a thread has the same
// history agree on everything this thread has done so far.
//
// Several workers look histories up at once (base/shared_table.h). Which number a
// history gets depends on who comes first; nothing may depend on the number.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abi/event.h"
#include "base/shared_table.h"
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

// Any number of threads may use it at once, but for insert().
class Histories {
 public:
  HistoryId root(ThreadId thread);
  HistoryId after(HistoryId history, const Lesson& lesson);
  HistoryId after_open(HistoryId history) { return after(history, {0, 0, true}); }

  // For checkpoints: everything that is known, in no particular order, and
  // putting it back into an empty table.
  struct Entry {
    HistoryId parent, id;
    Lesson lesson;
  };
  std::vector<Entry> entries();
  // False: it contradicts what is there.
  bool insert(const Entry& entry);

 private:
  struct Key {
    HistoryId history;
    Lesson lesson;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      const uint64_t mixed = key.history * 0x9e3779b97f4a7c15 ^ key.lesson.value * 0xbf58476d1ce4e5b9 ^
                             key.lesson.value2 * 0x94d049bb133111eb;
      return mixed ^ (mixed >> 29);
    }
  };
  using Table = base::SharedTable<Key, Hash>;
  static constexpr uint32_t kShards = Table::kShards;

  Table children_;
  // By shard: numbers given so far; they are those that leave the shard's number when divided by kShards.
  struct alignas(64) Count {  // a cache line to itself
    uint32_t value = 0;
  };
  std::array<Count, kShards> counts_;
};

}  // namespace heddle::causal
