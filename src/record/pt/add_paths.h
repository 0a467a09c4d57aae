// SPDX-License-Identifier: Apache-2.0
//
// Puts paths and changes of core that were found out after the run into the file of the recording,
// as if the program had written them. So there is one form of recordings, and one reader.
#pragma once

#include "base/result.h"
#include "record/pt/paths.h"
#include "record/recording_file.h"

namespace heddle::record::pt {

// Before the file is finished.
base::Result<void> add_paths(RecordingFile& file, const DecodedPaths& decoded);

}  // namespace heddle::record::pt
