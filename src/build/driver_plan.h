// SPDX-License-Identifier: Apache-2.0
//
// clang's own plan for a command line, as data. `clang -###` prints one line
// per command, every word in double quotes with \ before ", \ and $; between
// them its version and its warnings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::build {

enum class JobKind {
  compile,  // C, C++ or LLVM modules for this machine straight to an object
  link,
  other,  // run as it is
};

struct Job {
  JobKind kind = JobKind::other;
  std::vector<std::string> command;

  // The word after the last `option`, or empty.
  std::string value_of(std::string_view option) const;
};

struct DriverPlan {
  std::vector<Job> jobs;
  std::string header;    // version and directories, as -v shows them
  std::string warnings;  // what clang had to say about the command line
};

// Nothing when clang refuses the command line or can handle it as well alone:
// then run clang itself.
base::Result<std::optional<DriverPlan>> plan_jobs(const std::string& clang, const std::vector<std::string>& arguments);

// Exposed for tests: the text that `clang -###` printed.
DriverPlan parse_plan(std::string_view text);

}  // namespace heddle::build
