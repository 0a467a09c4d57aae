// SPDX-License-Identifier: Apache-2.0
//
// From a module to an object file for this machine.
#pragma once

#include <string>

#include "base/result.h"

namespace llvm {
class Module;
}

namespace heddle::build {

base::Result<void> generate_object(llvm::Module& module, const std::string& path);

}  // namespace heddle::build
