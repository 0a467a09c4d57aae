// SPDX-License-Identifier: Apache-2.0
//
// A stepped run as the perf.data that `perf record -e intel_pt//u --switch-events` would have left.
#pragma once

#include <string>

#include "stepped_run.h"

namespace stepping {

std::string perf_data_of(const SteppedRun& run);

}  // namespace stepping
