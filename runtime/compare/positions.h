// SPDX-License-Identifier: Apache-2.0
//
// Where the threads of a run are that will never go on by themselves.
#pragma once

#include <sys/types.h>

namespace heddle::compare {

// For the process from which runs are forked, about one that it is about to end, all
// of whose threads sleep. What cannot be read stays unknown.
void note_positions(pid_t run);

}  // namespace heddle::compare
