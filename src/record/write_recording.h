// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "record/recording.h"

namespace heddle::record {

// Writes a recording that no recorded program wrote, in the form that they have:
// facts, how it ended, and the paths of its threads. Notes and stretches are left out.
base::Result<void> write_recording(const std::string& path, const Recording& recording);

}  // namespace heddle::record
