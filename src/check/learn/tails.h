// SPDX-License-Identifier: Apache-2.0
//
// When all threads but one have ended or wait for others to end, the rest is not worth
// walking through again and again: it depends on where these threads are, on memory, and
// on what the others returned, not on how those came to their ends. What it changed once
// is remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/learn/ends.h"
#include "check/learn/machine.h"
#include "check/learn/state_store.h"

namespace heddle::check::learn {

class Tails {
 public:
  using ThreadMask = uint32_t;

  explicit Tails(Model& model) : model_(model) {}

  // Threads of the mask have ended in the state, and their buffers are empty. If the rest of the execution is known,
  // moves the state to its end and says which kind of end that is. `sum`: of the words of the state (state_store.h).
  std::optional<EndKind> finish(State& state, StateStore::Sum sum, ThreadMask ended);
  // There was one way on from all states that finish() did not know since forget_asked(), and it ended here.
  void add_end(const State& state, EndKind kind);
  void forget_asked() { asked_.clear(); }

  // Words at these places make no difference.
  void ignore(const std::vector<uint8_t>& ignored) { begins_.ignore(ignored); }
  uint64_t bytes() const { return begins_.bytes() + ends_.size() * sizeof(End) + words_.size() * sizeof(Word); }
  void clear();

 private:
  struct Asked {
    StateStore::Id begin;
    State::Mark mark;  // the moment
  };
  struct Word {
    uint32_t slot, word;
  };
  // What has changed by then, in words_, and what it is.
  struct End {
    uint32_t begin, end;
    EndKind kind;
  };
  // Of the threads that have ended, only whether they failed, and what those that did not have returned.
  const Row& without(const State& state, ThreadMask ended, StateStore::Sum& sum);

  Model& model_;
  StateStore begins_;  // mask: 1 + the number of the end
  std::vector<End> ends_;
  std::vector<Word> words_;
  std::vector<Asked> asked_;
  Row scratch_;
};

}  // namespace heddle::check::learn
