// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for a condition or a futex word, in a run in which nobody
// knows who woke whom. A WAKE leaves signals, each of which some thread takes that
// waited when it was sent; the choice is put off until a thread resumes, which then
// takes the oldest signal that it may. If any choice works, this one does, since
// threads that came later could not have taken it.
//
// There are never more signals than threads that wait: a WAKE that finds everybody
// woken is lost, as in the C library.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::reproduce {

class WaitQueue {
 public:
  void wait(uint32_t thread) { waiting_[thread] = next_; }
  // At most so many threads.
  void wake(uint64_t most);

  // A signal may have been for this thread.
  bool is_woken(uint32_t thread) const;
  void resume(uint32_t thread);
  // All signals may have been for others, so that the thread may leave without one.
  bool can_leave(uint32_t thread) const;
  void leave(uint32_t thread) { waiting_.erase(thread); }
  bool all_are_woken() const { return signals() == waiting_.size(); }

  // Calls `visit` with numbers that tell apart queues with different futures.
  template <typename Visit>
  void for_each_number(Visit visit) const {
    for (const auto& [thread, since] : waiting_) {
      visit(thread);
      for (const Wake& wake : wakes_)
        if (wake.number >= since) visit(wake.left);
    }
  }

 private:
  struct Wake {
    uint32_t number = 0;
    uint64_t left = 0;  // signals that nobody has taken
  };
  uint64_t signals() const;

  std::map<uint32_t, uint32_t> waiting_;  // thread to the number of the first WAKE that may wake it
  std::vector<Wake> wakes_;               // ascending by number; those with signals left
  uint32_t next_ = 0;
};

}  // namespace heddle::reproduce
