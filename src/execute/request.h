// SPDX-License-Identifier: Apache-2.0
//
// Run requests in the form the target reads (HeddleRequest, src/abi/channel.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "execute/executor.h"

namespace heddle::execute {

// Bytes the request takes in the request area.
size_t request_size(const RunRequest& request);

// Writes the request at `area`, which has room for request_size bytes.
void write_request(const RunRequest& request, uint32_t number, char* area);

}  // namespace heddle::execute
