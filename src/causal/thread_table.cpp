// SPDX-License-Identifier: Apache-2.0
#include "causal/thread_table.h"

#include "base/check.h"

namespace heddle::causal {

ThreadTable::ThreadTable() { id_of(schedule::ThreadName()); }

ThreadId ThreadTable::id_of(const schedule::ThreadName& name) {
  const auto [place, is_new] = ids_.try_emplace(name, static_cast<ThreadId>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

ThreadId ThreadTable::child_of(ThreadId parent, uint32_t child_number) {
  const auto known = children_.find({parent, child_number});
  if (known != children_.end()) return known->second;
  const ThreadId id = id_of(schedule::ThreadName(names_[parent]).child(child_number));
  children_[{parent, child_number}] = id;
  return id;
}

bool ThreadTable::knows(std::span<const trace::Thread> threads) const {
  std::vector<ThreadId> ids(threads.size(), kMainThread);
  for (size_t i = 1; i < threads.size(); ++i) {
    if (threads[i].parent >= i) return false;
    const auto known = children_.find({ids[threads[i].parent], threads[i].child_number});
    if (known == children_.end()) return false;
    ids[i] = known->second;
  }
  return true;
}

std::vector<ThreadId> ThreadTable::ids_of(std::span<const trace::Thread> threads) {
  std::vector<ThreadId> ids(threads.size(), kMainThread);
  for (size_t i = 1; i < threads.size(); ++i) {
    HEDDLE_CHECK(threads[i].parent < i, "a thread's parent is known before it");
    ids[i] = child_of(ids[threads[i].parent], threads[i].child_number);
  }
  return ids;
}

}  // namespace heddle::causal
