// SPDX-License-Identifier: Apache-2.0
//
// Checks the evidence of a reversibility check by replaying it: every event of
// the trace happens once, in the order that the evidence gives, and whatever
// would have to wait at its turn makes the evidence wrong.
//
// A referee: it shares no code with what found the evidence, and says itself what
// each kind of operation does instead of asking src/semantics.
#pragma once

#include "base/result.h"
#include "propagate/reversibility/reversibility.h"
#include "trace/trace.h"

namespace heddle::propagate {

// An Error says what is wrong with the evidence.
base::Result<void> check_reversal(const trace::Trace& trace, const Reversal& reversal);

}  // namespace heddle::propagate
