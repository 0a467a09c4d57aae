// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks over what orders events in every run: for each thread, up to
// where it knows each other thread to have come. A thread's own time moves on
// when it publishes what it knows, so all events between two such points share
// one moment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::propagate {

// When something happened.
struct Moment {
  uint32_t thread = 0;
  uint32_t time = 0;
};

class MustClocks {
 public:
  using Clock = std::vector<uint32_t>;  // by thread

  explicit MustClocks(size_t threads) : clocks_(threads, Clock(threads, 0)) {
    for (size_t i = 0; i < threads; ++i) clocks_[i][i] = 1;
  }

  Moment now(uint32_t thread) const { return {thread, clocks_[thread][thread]}; }
  // Is it before all that `thread` does from now on, in every run?
  bool before(Moment moment, uint32_t thread) const { return moment.time <= clocks_[thread][moment.thread]; }

  // What `thread` did so far is before what acquires `published`.
  void publish(uint32_t thread, Clock* published) {
    join(clocks_[thread], published);
    ++clocks_[thread][thread];
  }
  void acquire(uint32_t thread, const Clock& published) { join(published, &clocks_[thread]); }

 private:
  static void join(const Clock& from, Clock* to) {
    to->resize(std::max(to->size(), from.size()));
    for (size_t i = 0; i < from.size(); ++i) (*to)[i] = std::max((*to)[i], from[i]);
  }

  std::vector<Clock> clocks_;
};

}  // namespace heddle::propagate
