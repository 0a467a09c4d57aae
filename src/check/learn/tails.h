// SPDX-License-Identifier: Apache-2.0
//
// When all threads but one have ended, the rest is not worth walking through
// again and again: it depends on where that thread is, on memory, and on what the
// others returned, not on how they came to their ends. What it led to once is
// remembered.
#pragma once

#include <cstdint>

#include "check/learn/machine.h"
#include "check/learn/state_store.h"

namespace heddle::check::learn {

class Tails {
 public:
  explicit Tails(Model& model) : model_(model) {}

  // Only `last` can still do something in the state. True: it is known how that ends; the state is that end now.
  bool finish(State& state, ThreadId last);
  // Where it ended from the state that finish() was asked about last and did not know.
  void add_end(const State& state, ThreadId last);

  uint64_t bytes() const { return begins_.bytes() + ends_.bytes(); }
  void clear();

 private:
  // Of the other threads, only whether they failed, and what those that did not have returned.
  const State& alone(const State& state, ThreadId last);

  Model& model_;
  StateStore begins_;  // mask: the end
  StateStore ends_;
  StateStore::Id asked_ = 0;
  State scratch_;
};

}  // namespace heddle::check::learn
