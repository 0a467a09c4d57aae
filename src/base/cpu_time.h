// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::base {

// CPU time of this process and of those children of it that have ended and were waited for.
double cpu_seconds();

// CPU time of the calling thread: a limit by it does not depend on what else the machine does.
double thread_cpu_seconds();

}  // namespace heddle::base
