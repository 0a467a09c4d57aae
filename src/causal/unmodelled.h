// SPDX-License-Identifier: Apache-2.0
//
// What an execution contains that the causal model does not know: other orders
// of it may then be missed, or wrong. Never ignored: it becomes a reason why a
// check is undecided.
#pragma once

#include <set>
#include <span>
#include <string>

#include "causal/execution.h"

namespace heddle::causal {

// Short texts for people. `functions`: names of functions without bitcode, by
// the numbers that EXTERN_CALL events carry.
std::set<std::string> unmodelled(const Execution& execution, std::span<const std::string> functions);

// Too many reads and writes of the same places to reason about.
// States of the C library that several threads use in an order which only the schedule says
// ("random numbers"): what the calls answer then is not known for other orders.
std::set<std::string> disputed_states(const Execution& execution);

bool is_too_large(const Execution& execution);

}  // namespace heddle::causal
