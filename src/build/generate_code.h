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

// `fast` takes as long as clang -O2 takes, for code that is measured against that.
base::Result<void> generate_object(llvm::Module& module, const std::string& path, bool fast = false);

}  // namespace heddle::build
