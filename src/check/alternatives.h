// SPDX-License-Identifier: Apache-2.0
//
// In what other ways could an operation turn out, as far as this execution
// shows? A read takes another value that some write offers, an attempt to lock
// fails or succeeds, a timed wait runs out or not, a choice is made otherwise.
// Whether the rest of the program allows it is the solver's question.
#pragma once

#include <string>
#include <vector>

#include "causal/cut.h"
#include "causal/needs.h"
#include "gaps/gap.h"

namespace heddle::check {

struct Alternatives {
  std::vector<causal::Alternative> list;
  gaps::Gaps gaps;  // why not all could be listed
};

Alternatives alternatives_of(const causal::Dependences& dependences, causal::EventId event);

// With this alternative the thread would go once more through a round that
// changes nothing and tells it nothing new. Whatever the program can do after
// that, it can do without it.
bool only_repeats(const causal::Execution& execution, const causal::Alternative& alternative);

// What a thread that was still waiting when the execution ended would do, if
// another order let it: none if this execution cannot serve it in any order.
std::vector<causal::Alternative> waited_for(const causal::Execution& execution, const causal::Waiting& waiting);

}  // namespace heddle::check
