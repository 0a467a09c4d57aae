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

// Names the operation, in a few words, if no engine reasons about it; else null.
const char* not_modelled(const HeddleRecord& operation);

// Short texts for people. `functions`: names of functions without bitcode, by
// the numbers that EXTERN_CALL events carry.
std::set<std::string> unmodelled(const Execution& execution, std::span<const std::string> functions);

// The same, of what only those model who perform operations, and not those who ask for orders.
std::set<std::string> unmodelled_by_solver(const Execution& execution);

// States of the C library that several threads use in an order which only the schedule says
// ("random numbers"): what the calls answer then is not known for other orders.
std::set<std::string> disputed_states(const Execution& execution);

// A thread changes the environment (setenv, setlocale, chdir, ...) at a time when another one
// may run. Who asks for it leaves no trace, so no order of such calls is ever tried.
bool changes_environment_beside_others(const Execution& execution);

// A thread uses an object of synchronisation, and another one initialises it, destroys it or
// releases its memory, in an order that only the schedule says. Other orders are misuses, or
// come to other results.
bool has_disputed_objects(const Execution& execution);

// If addresses of released memory are used again: some order of the operations might give
// memory to a thread that another one, or the thread itself, has released. Which address an
// allocation returns, and whether an access meets released memory, then depends on that order.
bool may_reuse_memory(const Execution& execution);

// Too many reads and writes of the same places to reason about.
bool is_too_large(const Execution& execution);

}  // namespace heddle::causal
