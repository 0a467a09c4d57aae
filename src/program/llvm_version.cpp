// SPDX-License-Identifier: Apache-2.0
#include "program/llvm_version.h"

#include <llvm/Config/llvm-config.h>

namespace heddle::program {

const char* llvm_version() { return LLVM_VERSION_STRING; }

}  // namespace heddle::program
