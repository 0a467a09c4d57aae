// SPDX-License-Identifier: Apache-2.0
//
// The target's own loop: take run requests from the host, run the program.
#pragma once

#include "state.h"

namespace heddle::rt {

// From here on nothing this process does reaches the host: it is a child that
// the program forked.
void detach_from_host();

}  // namespace heddle::rt
