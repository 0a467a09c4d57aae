// SPDX-License-Identifier: Apache-2.0
//
// A recording out of a controlled run: what `heddle record` would have kept if the
// machine had done what the run did. So failures of memory models that no machine
// at hand has can be reproduced, and the way back can be tested.
#pragma once

#include "record/recording.h"
#include "reproduce/path_comparison.h"
#include "trace/trace.h"

namespace heddle::reproduce {

// The trace has branches. Facts are left to the caller.
record::Recording recording_of(const trace::Trace& trace, const SwitchNumbers& switches);

}  // namespace heddle::reproduce
