// SPDX-License-Identifier: Apache-2.0
#include "reproduce/wait_queue.h"

#include <algorithm>

namespace heddle::reproduce {

uint64_t WaitQueue::signals() const {
  uint64_t count = 0;
  for (const Wake& wake : wakes_) count += wake.left;
  return count;
}

void WaitQueue::wake(uint64_t most) {
  const uint64_t count = std::min<uint64_t>(most, waiting_.size() - signals());
  if (count) wakes_.push_back({next_++, count});
}

bool WaitQueue::is_woken(uint32_t thread) const {
  const auto since = waiting_.find(thread);
  return since != waiting_.end() && !wakes_.empty() && wakes_.back().number >= since->second;
}

void WaitQueue::resume(uint32_t thread) {
  const auto since = waiting_.find(thread);
  if (since == waiting_.end()) return;
  const auto taken =
      std::find_if(wakes_.begin(), wakes_.end(), [&](const Wake& wake) { return wake.number >= since->second; });
  if (taken != wakes_.end() && --taken->left == 0) wakes_.erase(taken);
  waiting_.erase(since);
}

// Hall's condition: an earlier WAKE can only have woken some of those that a later one can have woken.
bool WaitQueue::can_leave(uint32_t thread) const {
  uint64_t needed = 0;
  for (const Wake& wake : wakes_) {
    needed += wake.left;
    const auto others = std::count_if(waiting_.begin(), waiting_.end(), [&](const auto& other) {
      return other.first != thread && other.second <= wake.number;
    });
    if (needed > static_cast<uint64_t>(others)) return false;
  }
  return true;
}

}  // namespace heddle::reproduce
