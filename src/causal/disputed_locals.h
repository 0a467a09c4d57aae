// SPDX-License-Identifier: Apache-2.0
//
// Local variables that other threads access. When their function returns before
// that, the access is one to a dead frame, which the causal model does not know.
#pragma once

#include "causal/execution.h"

namespace heddle::causal {

// A thread accesses a local variable of another one, and nothing that threads learn keeps the function from returning
// first: neither creation and end of threads nor a value that is read. The order of locks does not count, as it may be
// another one although everybody learns the same.
bool has_disputed_locals(const Execution& execution);

}  // namespace heddle::causal
