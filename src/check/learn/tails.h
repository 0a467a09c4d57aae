// SPDX-License-Identifier: Apache-2.0
//
// When all threads but one have ended or wait for others to end, the rest is not worth
// walking through again and again: it depends on where these threads are, on memory, and
// on what the others returned, not on how those came to their ends. What it led to once
// is remembered.
#pragma once

#include <cstdint>
#include <vector>

#include "check/learn/machine.h"
#include "check/learn/state_store.h"

namespace heddle::check::learn {

class Tails {
 public:
  using ThreadMask = uint32_t;

  explicit Tails(Model& model) : model_(model) {}

  // Threads of the mask have ended in the state, and their buffers are empty. True: it is known that there is one way
  // on, and where it ends; the state is that end now.
  bool finish(State& state, ThreadMask ended);
  // Who moved last on the way to the end that was found.
  ThreadId last() const { return last_; }
  // There was one way on from all states that finish() did not know since forget_asked(), and it ended here.
  void add_end(const State& state, ThreadId last);
  void forget_asked() { asked_.clear(); }

  // Words at these places make no difference.
  void ignore(const std::vector<uint8_t>& ignored) { begins_.ignore(ignored); }
  uint64_t bytes() const { return begins_.bytes() + ends_.bytes(); }
  void clear();

 private:
  struct Asked {
    StateStore::Id begin;
    ThreadMask ended;
  };
  // Of the threads that have ended, only whether they failed, and what those that did not have returned.
  const Row& without(const State& state, ThreadMask ended);

  Model& model_;
  StateStore begins_;  // mask: the end, who moved last << 32
  StateStore ends_;
  std::vector<Asked> asked_;
  ThreadId last_ = 0;
  Row scratch_;
};

}  // namespace heddle::check::learn
