// SPDX-License-Identifier: Apache-2.0
//
// mmap: pages of the calling thread's program heap, so that their address, too,
// depends only on what this thread did before.
#pragma once

namespace heddle::rt {

// Makes the pages that the last run mapped plain memory again.
void reset_mappings();

}  // namespace heddle::rt
