// SPDX-License-Identifier: Apache-2.0
//
// Writes a recording that no recorded program wrote: paths, ending and failure, in the form of all others. Notes
// and stretches are left out.
#pragma once

#include <string>

#include "base/result.h"
#include "record/recording.h"

namespace heddle::record {

base::Result<void> write_recording(const std::string& path, const Recording& recording);

}  // namespace heddle::record
