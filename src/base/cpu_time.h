// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::base {

// CPU time of this process and of those children of it that have ended and were waited for.
double cpu_seconds();

}  // namespace heddle::base
