// SPDX-License-Identifier: Apache-2.0
//
// The global variables of a program, with their names in the source.
#pragma once

#include <vector>

#include "pass/instrument.h"

namespace heddle::pass {

std::vector<GlobalObject> global_objects(const llvm::Module& module);

}  // namespace heddle::pass
