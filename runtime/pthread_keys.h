// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state.h"

namespace heddle::rt {

using KeyDestructor = void (*)(void*);

// The destructor of a key in use, or null.
KeyDestructor key_destructor(uint32_t key);

void keys_remember();  // before the first run
void reset_keys();     // before every other

}  // namespace heddle::rt
