// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "record/recording.h"
#include "reproduce/walked_run.h"

namespace heddle::reproduce {

// What was recorded of the values that threads read (heddle record --values), by operation: fills Operation::check.
// `reads`: the sites of which recordings have something.
void add_checks(WalkedRun& walked, const KnownPaths& known, const record::Recording& recording,
                const std::set<uint32_t>& reads);

}  // namespace heddle::reproduce
