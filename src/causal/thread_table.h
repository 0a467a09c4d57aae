// SPDX-License-Identifier: Apache-2.0
//
// Threads are known by their names (T0, T0.1, ...), which are the same in every
// run of a program. A ThreadTable gives each name a small number that stays the
// same over all executions that are compared.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "schedule/thread_name.h"
#include "trace/trace.h"

namespace heddle::causal {

using ThreadId = uint32_t;  // in a ThreadTable
inline constexpr ThreadId kMainThread = 0;

class ThreadTable {
 public:
  ThreadTable();  // knows T0, as kMainThread

  ThreadId id_of(const schedule::ThreadName& name);
  ThreadId child_of(ThreadId parent, uint32_t child_number);
  const schedule::ThreadName& name(ThreadId id) const { return names_[id]; }
  size_t size() const { return names_.size(); }

  // Has every thread of this run an id already?
  bool knows(std::span<const trace::Thread> threads) const;
  // For each thread of a run, by its number there, its id.
  std::vector<ThreadId> ids_of(std::span<const trace::Thread> threads);

 private:
  std::vector<schedule::ThreadName> names_;
  std::map<schedule::ThreadName, ThreadId> ids_;
  std::map<std::pair<ThreadId, uint32_t>, ThreadId> children_;
};

}  // namespace heddle::causal
