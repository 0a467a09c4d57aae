// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands that inject faults: which program, where faults may go.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/comparison_target.h"
#include "propagate/engine/injection_points.h"

namespace heddle::cli {

struct ComparisonOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> cflags;
  bool optimised = false;  // inject into what clang -O2 makes of the program
  propagate::PointFilter filter;
  propagate::FaultOptions faults;
  uint64_t seed = 0;
};

// A note for programs without any output.
inline constexpr const char* kWritesNothing =
    "the program writes nothing, neither to its standard output nor to files: silent data corruption cannot be seen, "
    "it counts as benign";

void add_comparison_options(CLI::App& command, ComparisonOptions& options);

// Those that heddle inject needs to make the same experiment, besides program and seed.
std::map<std::string, std::string> inject_options(const ComparisonOptions& options);

base::Result<build::ComparisonTarget> prepare_comparison(const ComparisonOptions& options);

}  // namespace heddle::cli
