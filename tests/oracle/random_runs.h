// SPDX-License-Identifier: Apache-2.0
//
// A checker that promises nothing: it runs a program under random schedules and
// reports what it saw. What it sees must be possible; so it tests the emitted C,
// the runtime and the oracle against each other, without any analysis.
#pragma once

#include "oracle/subject.h"

namespace heddle::oracle {

CheckedResult run_randomly(const execute::Subject& set, int program, MemoryModel model, int runs);

}  // namespace heddle::oracle
