// SPDX-License-Identifier: Apache-2.0
//
// The file of a checkpoint (docs/reference/checkpoint_format.md): bytes in
// blocks, each packed and with a check value; written whole or not at all. A
// reader refuses a file in which anything is missing or damaged.
#pragma once

#include <string>

#include "base/result.h"
#include "check/checkpoint_sections.h"

namespace heddle::check {

inline constexpr uint32_t kCheckpointVersion = 2;

// Sections are written and packed by so many threads at once.
base::Result<void> write_checkpoint_file(const std::string& path, const CheckpointSections& sections,
                                         size_t workers = 1);
// All sections, one after the other.
base::Result<std::string> read_checkpoint_file(const std::string& path);

}  // namespace heddle::check
