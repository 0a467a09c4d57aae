// SPDX-License-Identifier: Apache-2.0
//
// Reads what `perf record` writes (perf.data) of a program traced with intel_pt and switch events: the
// packets of each core, who had a core when, the files that were mapped. All else in the file is
// passed over. Untrusted input: what does not fit is an Error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "record/pt/pt_trace.h"

namespace heddle::record::pt {

base::Result<Trace> read_perf_data(std::string_view bytes);

}  // namespace heddle::record::pt
