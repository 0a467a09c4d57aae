// SPDX-License-Identifier: Apache-2.0
//
// Where targets are kept: one directory each, named by a hash of all that went into
// it.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace heddle::build {

base::Result<std::string> cache_directory();

// Differs when the file was made anew.
base::Result<std::string> file_stamp(const std::string& path);

// Makes the directory: `fill` gets one beside it, which is renamed when whole, so
// that nobody ever sees half of it.
base::Result<void> fill_cache(const std::string& directory, const std::function<base::Result<void>(const std::string&)>& fill);

}  // namespace heddle::build
