// SPDX-License-Identifier: Apache-2.0
//
// What a run writes. A program with a fault in it may write anything anywhere, so
// files that it opens for writing are made in a scratch directory, under a name that
// tells the one meant; the host compares them afterwards.
#pragma once

namespace heddle::compare {

void set_scratch(const char* directory);
// Standard output and errors of the calling process go to files there.
void redirect_output();

}  // namespace heddle::compare
