// SPDX-License-Identifier: Apache-2.0
//
// Whether the processor's time stamp counter tells the order of what different cores do, and how far
// apart two stamps must be for that.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace heddle::record {

// In ticks. An Error: the counters of this machine's cores are not known to agree.
base::Result<uint64_t> stamp_margin();

}  // namespace heddle::record
