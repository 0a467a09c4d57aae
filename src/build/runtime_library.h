// SPDX-License-Identifier: Apache-2.0
//
// Where the libraries are that targets are linked with, relative to the running heddle.
#pragma once

#include <string>

#include "base/result.h"

namespace heddle::build {

enum class Runtime { kControlled, kFree, kComparison, kRecording };

base::Result<std::string> runtime_library(Runtime runtime);

}  // namespace heddle::build
