// SPDX-License-Identifier: Apache-2.0
//
// Running one command of clang's plan, and putting its result where the user
// wants it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace heddle::build {

// As base::run_process; a command too long for the system is passed through a
// response file in `directory`.
base::Result<base::ProcessOutput> run_job_command(const std::vector<std::string>& command, const std::string& directory,
                                                  const base::ProcessOptions& options);

// Writes an output file as compilers do: whole or not at all, with the mode of
// the file it replaces. What is not a regular file (/dev/null, a pipe) is
// written into, never replaced; "-" is standard output.
base::Result<void> write_output(const std::string& path, std::string_view bytes);

}  // namespace heddle::build
