// SPDX-License-Identifier: Apache-2.0
//
// mmap: pages of the calling thread's program heap, so that their address, too,
// depends only on what this thread did before.
#pragma once

#include <stdint.h>

namespace heddle::rt {

// Pages that the program mapped so that other processes may share them.
bool in_shared_mapping(uint64_t address);

// True if objects of synchronisation lie in such pages.
bool shares_sync_objects();

// Makes the pages that the last run mapped plain memory again.
void reset_mappings();

}  // namespace heddle::rt
