// SPDX-License-Identifier: Apache-2.0
//
// The writable data of the program and of every library but the runtime and the
// dynamic loader, as it was before the first run, so that the next run starts
// from the same memory.
#pragma once

namespace heddle::rt {

void snapshot_take();

// Libraries are restored only if code without bitcode may have run since.
void snapshot_restore(bool libraries);

}  // namespace heddle::rt
