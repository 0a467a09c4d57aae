// SPDX-License-Identifier: Apache-2.0
//
// Brute force for races: every state that a program can be in, with what is ordered
// before what and which accesses have happened. Which runs are looked at, and what of
// them counts, is for the derived classes to say.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "oracle/machine.h"
#include "oracle/ordering.h"
#include "oracle/races.h"

namespace heddle::oracle {

class RaceSearch {
 public:
  RaceSearch(const Program& program, MemoryModel model, const Limits& limits, const Ordering& first)
      : program_(program), machine_(program, model), limits_(limits), first_(first) {}
  virtual ~RaceSearch() = default;

  Races run();

 protected:
  // Is this step looked at? Do runs go on after it? Does it write?
  virtual bool has(const Transition&) const { return true; }
  virtual bool goes_on(const Transition&) const { return true; }
  virtual bool wrote(const Transition& transition) const;
  // May a step that concerns nobody else be followed alone?
  virtual bool shortens() const { return limits_.shorten; }
  // Two conflicting accesses are both next.
  virtual void note_next(Races& races, const Pair& pair) const { races.enabled_at_once.insert(pair); }

 private:
  // An access that has happened.
  struct Access {
    uint8_t thread;
    uint8_t place;
    bool wrote;
  };
  using Accesses = std::vector<Access>;  // by thread and place, so that equal sets are equal vectors
  struct Node {
    State state;
    Ordering ordering;
    Accesses accesses;
  };
  void reach(const State& state, const Ordering& ordering, const Accesses& accesses);
  void look_at_pairs();
  void follow(const Node& node, const Successor& successor);

  const Program& program_;
  Machine machine_;
  const Limits& limits_;
  const Ordering first_;
  Races races_;
  std::unordered_set<std::string> seen_;
  std::vector<Node> pending_;
  std::vector<Successor> successors_;
};

}  // namespace heddle::oracle
