// SPDX-License-Identifier: Apache-2.0
//
// Heddle may be started with standard streams closed (`heddle ... 2>&-`). Then the
// next file that it opens would get their numbers, and talk would be written into
// it. So closed streams are replaced first of all: standard output by one that
// takes nothing, the others by /dev/null. And writing into a pipe that nobody
// reads is an error for us, not the end.
//
// Other programs that heddle starts find all of this as its caller left it.
#pragma once

namespace heddle::base {

// To be called before any file is opened.
void guard_standard_streams();

// In a child that is about to become another program. Safe after fork and vfork.
void restore_standard_streams();
// Only what happens when nobody reads a pipe.
void restore_broken_pipes();

}  // namespace heddle::base
