// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::program {

const char* llvm_version();  // "19.1.7"

}  // namespace heddle::program
