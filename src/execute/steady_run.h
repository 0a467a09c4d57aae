// SPDX-License-Identifier: Apache-2.0
//
// A run that ends because its target is killed says nothing about the program,
// if somebody else killed it: a user, or the system for want of memory. Such a
// run is made again, in a new process. Only a run that is killed at the same
// point three times in a row was ended by the program itself.
#pragma once

#include "base/result.h"
#include "execute/executor.h"

namespace heddle::execute {

base::Result<Run> run_steadily(Executor& executor, const RunRequest& request);

}  // namespace heddle::execute
