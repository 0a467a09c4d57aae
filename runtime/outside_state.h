// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "abi/outside_state.h"

namespace heddle::rt {

// From which state the function with this name answers.
HeddleOutsideState outside_state(const char* function);

}  // namespace heddle::rt
