// SPDX-License-Identifier: Apache-2.0
//
// Where targets are kept: one directory each, named by a hash of all that went into
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "program/whole_program.h"

namespace heddle::build {

// The directory of the target of this program that these words describe and that is made with these files; another
// one when a file was made anew, or when the program is linked with libraries from elsewhere.
base::Result<std::string> cached_directory(const program::WholeProgram& program, const std::string& words,
                                           const std::vector<std::string>& files);

// Makes the directory: `fill` gets one beside it, which is renamed when whole, so
// that nobody ever sees half of it.
base::Result<void> fill_cache(const std::string& directory,
                              const std::function<base::Result<void>(const std::string&)>& fill);

}  // namespace heddle::build
