// SPDX-License-Identifier: Apache-2.0
//
// Running another program and waiting for it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::base {

struct ProcessOutput {
  int exit_code = 0;  // 128 + N when ended by signal N
  std::string out;    // only when captured
  std::string err;    // only when captured
};

struct ProcessOptions {
  bool capture_out = false;  // otherwise inherited
  bool capture_err = false;
  std::string working_directory;  // empty: the current one
};

// Runs `arguments[0]` (searched on PATH) and waits. An Error means it could not
// be started; a program that fails has a nonzero exit_code.
Result<ProcessOutput> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

// The first executable called `name` on PATH, or empty.
std::string find_program(const std::string& name);

// Absolute path of the running executable.
std::string own_path();

}  // namespace heddle::base
