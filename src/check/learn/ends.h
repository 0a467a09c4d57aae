// SPDX-License-Identifier: Apache-2.0
//
// States of the product in which nothing can happen any more: what they mean,
// and what is kept of them.
#pragma once

#include <set>
#include <vector>

#include "check/learn/machine.h"
#include "check/learn/state_store.h"
#include "check/report.h"

namespace heddle::check::learn {

enum class EndKind : uint8_t {
  kComplete,  // every thread ran to its end
  kCutShort,  // by a failure, an assumption, a bound or an early exit
  kStuck,     // threads are blocked for ever
};

class Ends {
 public:
  Ends(const Model& model, const Machine& machine) : model_(model), machine_(machine) {}

  // Of a state in which no step is possible, and which a step of `last` led to.
  EndKind classify(const State& state, ThreadId last) const;

  void add_complete(const State& state);
  // False if threads were seen to be blocked at these places before.
  bool add_stuck(const State& state);

  // What threads have learned by complete ends, if histories are kept apart.
  uint64_t states() const { return histories_.size(); }
  std::set<Outcome> outcomes() const;
  // Before everything is explored again; which threads block each other is kept.
  void clear();

 private:
  const Model& model_;
  const Machine& machine_;
  StateStore histories_;  // of the threads, at complete ends
  StateStore known_observed_;
  std::vector<Row> observed_;              // numbers of observations, at complete ends
  std::set<std::vector<uint32_t>> stuck_;  // sites where threads wait
  Row scratch_;
};

}  // namespace heddle::check::learn
