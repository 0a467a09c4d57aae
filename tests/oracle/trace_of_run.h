// SPDX-License-Identifier: Apache-2.0
//
// A run of a Program as Heddle would have traced it. Operation number n is at
// line n + 1 of the file "program", so that pairs of places are pairs of operations.
#pragma once

#include "oracle/kept_races.h"
#include "trace/trace.h"

namespace heddle::oracle {

trace::Trace trace_of_run(const Program& program, const RandomRun& run);

}  // namespace heddle::oracle
