// SPDX-License-Identifier: Apache-2.0
//
// Atomicity violations of other orders of a trace's events: another thread comes
// between two accesses that belong together (atomic_blocks.h), and the result is
// none that it could have had before or after them (property/atomicity.h). There
// need be no race: each access may be under a lock.
//
// Two accesses are looked at if they are a thread's next accesses to some byte.
// Window by window, as races are; what a window has no part of is not found in it.
// Orders are checked on the trace (witness.h) before anybody hears of them.
#pragma once

#include <cstdint>
#include <functional>

#include "gaps/gap.h"
#include "predict/atomic_blocks.h"
#include "predict/options.h"
#include "predict/report.h"
#include "solve/order_problem.h"
#include "trace/trace.h"

namespace heddle::predict {

// In the trace's numbers of events.
struct Interference {
  causal::EventId first, middle, last;  // `middle` is another thread's
  uint32_t first_site = 0, middle_site = 0, last_site = 0;
  const char* pattern = "";
  const AtomicBlock* block = nullptr;
  Order order;
};

// `take` gets each and says whether it stands; one that does not is looked for
// again elsewhere. Of the same three places one.
void find_interferences(const trace::Trace& trace, const AtomicBlocks& blocks, const Options& options,
                        solve::OrderSolver& solver, const std::function<bool(const Interference&)>& take,
                        Statistics& statistics, gaps::Gaps& gaps);

}  // namespace heddle::predict
