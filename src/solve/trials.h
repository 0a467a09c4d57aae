// SPDX-License-Identifier: Apache-2.0
//
// Search for small problems: where GuidedOrder met an obstacle, assume one order
// of two events that matter there, see what follows, and try again; if nothing
// comes of it, the reverse must hold. On problems of a hundred events this takes
// a few microseconds where starting a SAT solver takes a hundred. It learns
// nothing from failure, so it gives up after some trials and leaves the rest,
// with what it proved until then, to OrderSearch.
#pragma once

#include "solve/guided_order.h"
#include "solve/saturation.h"

namespace heddle::solve {

class Trials {
 public:
  enum class Outcome : uint8_t { kOrder, kNone, kGaveUp };

  // `guided` has just failed on `saturation`. kOrder: `guided` holds the solution.
  // kGaveUp: `saturation` holds at least what it held before, and `guided` has
  // failed on it.
  Outcome run(const OrderProblem& problem, Saturation& saturation, GuidedOrder& guided);

 private:
  static Literal decision(const Saturation& saturation, const GuidedOrder& guided);
  static Literal decision_for_read(const Saturation& saturation, const OpenRead& read);

  struct Frame {
    Saturation before;
    Literal assumed;
  };
  std::vector<Frame> frames_;  // kept for their memory; the first `depth` are in use
};

}  // namespace heddle::solve
