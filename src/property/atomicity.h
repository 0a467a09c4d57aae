// SPDX-License-Identifier: Apache-2.0
//
// Can another thread come between two accesses that belong together? It does harm
// if no order in which the two are next to each other would give the same:
//
//   R-W-R  two reads find different values     W-W-R  a read does not find what its thread wrote
//   R-W-W  what is written is out of date      W-R-W  another thread sees what was not meant to be seen
//
// The question is one about cuts: what the one thread did up to its second access,
// what the other did up to the access in between, and what that needs. The last
// access may read anything, for nothing follows it; so may the one in between if
// its thread does nothing more.
#pragma once

#include <optional>
#include <vector>

#include "causal/needs.h"
#include "property/cut_closure.h"
#include "property/cut_problem.h"
#include "property/deadlocks.h"
#include "property/plan.h"

namespace heddle::property {

// Loads, stores, read-modify-writes and compare-exchanges of the program itself.
bool is_own_access(const HeddleRecord& operation);

// Name of the pattern; null: harmless. All three are own accesses, `first` and
// `last` of one thread; that they touch a common byte is the caller's business.
// What a compare-exchange writes as the last of them is not known, so it only reads.
const char* unserialisable(const HeddleRecord& first, const HeddleRecord& middle, const HeddleRecord& last);

class AtomicityQuestion {
 public:
  // `dependences` must outlive this; under sequential consistency. `most_steps`: of the search for cuts.
  AtomicityQuestion(const causal::Dependences& dependences, AskSolver ask, size_t most_steps = CutClosure::kMostSteps);

  // An order in which `middle`, of another thread, comes after `first` and before
  // `last`, which ends it. None: there is none, or is_complete() has become false.
  std::optional<std::vector<PlannedStep>> find_order(causal::EventId first, causal::EventId middle,
                                                     causal::EventId last);

  // False: something was too large to be answered.
  bool is_complete() const { return is_complete_; }

 private:
  enum class Middle : uint8_t { kKeepsItsValue, kReadsAnything };
  std::optional<std::vector<PlannedStep>> find_order(causal::EventId first, causal::EventId middle,
                                                     causal::EventId last, Middle how);

  const causal::Dependences& dependences_;
  const causal::Execution& execution_;
  const AskSolver ask_;
  const size_t most_steps_;
  CutClosure closure_;
  CutProblem problem_;
  bool is_complete_ = true;
};

}  // namespace heddle::property
