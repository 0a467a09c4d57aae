// SPDX-License-Identifier: Apache-2.0
//
// What a result says about the program and the options it is of, and how the
// files beside it are called.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "report/invocation.h"

namespace heddle::report {

struct ProgramFacts {
  std::string name;
  std::string hash;
  std::map<std::string, std::string> options;  // as the user would write them
  uint64_t seed = 0;
  Invocation invocation;
};

// Where the schedule and the trace of a finding lie, relative to the run directory.
inline std::string schedule_file(size_t finding) { return "finding-" + std::to_string(finding + 1) + ".schedule"; }
inline std::string trace_file(size_t finding) { return "finding-" + std::to_string(finding + 1) + ".trace"; }

// A run without failure, if one was found.
inline constexpr const char* kPassingTrace = "passing.trace";

}  // namespace heddle::report
