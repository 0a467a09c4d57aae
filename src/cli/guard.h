// SPDX-License-Identifier: Apache-2.0
//
// No exception leaves heddle: what libraries throw (the parser of JSON, the file
// system, memory that is not there) becomes a message and an exit code.
#pragma once

#include <functional>

namespace heddle::cli {

// What `command` returns; after an exception 3 if the machine is to blame, else 70.
int guarded(const std::function<int()>& command);

}  // namespace heddle::cli
